// A preview of a schedule while the user types: its description and the next five runs.

import { useEffect, useState } from 'preact/hooks';
import { sentence } from '../../core/sentence.ts';
import { type ApiError, isAborted, send } from '../../core/api.ts';
import type { Answer } from '../../core/types.ts';
import { type ScheduleInput, timingOf } from './schedule-input.ts';
import { NextTimes } from './next-times.tsx';

type Preview = Answer<'previewSchedule'>;
type Known = { readonly answer?: Preview; readonly problem?: ApiError };

const TYPING_MS = 200;

export function SchedulePreview({ input }: { input: ScheduleInput }) {
  const { answer, problem } = usePreview(input);
  return (
    <div class="preview full" aria-live="polite">
      {problem && (
        <>
          <p class="preview-problem">{sentence(problem.message)}</p>
          {problem.hint && <p class="muted">{sentence(problem.hint)}</p>}
        </>
      )}
      {!problem && answer && (
        <>
          <p class="preview-words">
            {sentence(answer.words)} <span class="muted">{answer.time_zone}</span>
          </p>
          <NextTimes times={answer.next} zone={answer.time_zone} />
        </>
      )}
      {!problem && !answer && <p class="muted">The next runs appear here.</p>}
    </div>
  );
}

function usePreview(input: ScheduleInput): Known {
  const [known, setKnown] = useState<Known>({});
  useEffect(() => {
    if (input.when.trim() === '') {
      setKnown({});
      return;
    }
    const controller = new AbortController();
    const ask = (): Promise<void> =>
      send<Preview>('POST', '/schedules/preview', timingOf(input), { signal: controller.signal }).then(
        (answer) => setKnown({ answer }),
        (error) => isAborted(error) || setKnown({ problem: error as ApiError }),
      ) as Promise<void>;
    const timer = setTimeout(ask, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [input.kind, input.when, input.tz]);
  return known;
}
