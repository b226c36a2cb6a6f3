// Progress and result that the job reported.

import { CopyButton } from '../../components/copy.tsx';
import { Section } from '../../components/screen.tsx';
import { percent } from '../../core/format.ts';
import type { JobDetails } from '../../core/types.ts';

export function ResultSection({ job }: { job: JobDetails }) {
  const hasResult = job.result !== null && job.result !== undefined;
  return (
    <>
      {job.progress !== null && job.state !== 'completed' && <Progress job={job} progress={job.progress} />}
      {hasResult && <Result text={JSON.stringify(job.result, null, 2)} />}
    </>
  );
}

/** `progress` is a percentage. */
const Progress = ({ job, progress }: { job: JobDetails; progress: number }) => (
  <Section title="Progress" note={job.progress_note}>
    <div class="progress-line">
      <progress max={100} value={progress} aria-label="progress" />
      <span>{percent(progress / 100)}</span>
    </div>
  </Section>
);

const Result = ({ text }: { text: string }) => (
  <Section title="Result">
    <div class="command-block">
      <pre>{text}</pre>
      <CopyButton text={text} label="copy the result" />
    </div>
  </Section>
);
