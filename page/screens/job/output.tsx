// Live output of a job with colours, search, links to lines and a download.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/feedback.tsx';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/screen.tsx';
import { API } from '../../core/api.ts';
import { bytes, count, counted } from '../../core/format.ts';
import { isLive } from '../../core/live.ts';
import { itemHref } from '../../core/router.ts';
import type { JobDetails } from '../../core/types.ts';
import { isShown } from './attempts.tsx';
import type { Lines } from './log/lines.ts';
import { useOutput } from './log/use-output.ts';
import { Viewer } from './log/viewer.tsx';

export function Output({ job }: { job: JobDetails }) {
  const attempt = job.history.find((one) => isShown(one, job));
  if (!attempt) return null;
  return <OutputOf key={attempt.number} job={job} attempt={attempt.number} isRunning={attempt.ended_at === null} />;
}

function OutputOf({ job, attempt, isRunning }: { job: JobDetails; attempt: number; isRunning: boolean }) {
  const [linked, setLinked] = useState(labelInHash);
  const [isWhole, setWhole] = useState(linked !== ''); // line numbers require the whole output
  const output = useOutput(job.id, attempt, isRunning, isWhole);
  /** The line that a button selected. */
  const [shown, setShown] = useState<number | null>(null);
  const [wanted, setWanted] = useState('');
  const [hit, setHit] = useState(0);
  const [isWrapped, setWrapped] = useState(false);
  const [isFollowing, setFollowing] = useState(isRunning && linked === '');
  const hits = useMemo(() => output.lines.find(wanted), [output.lines, output.version, wanted]);
  useEffect(() => setHit(0), [wanted]);
  const pick = useCallback((label: string) => {
    history.replaceState(history.state, '', `#L${label}`);
    setLinked(label);
    setShown(null);
    setFollowing(false);
  }, []);
  const at = wanted === '' ? (shown ?? output.lines.indexOf(linked)) : (hits[hit] ?? -1);
  if (output.error)
    return (
      <Framed>
        <Problem error={output.error} />
      </Framed>
    );
  if (!output.isLoading && output.size === 0)
    return (
      <Framed>
        <Nothing isRunning={isRunning} />
      </Framed>
    );
  return (
    <Framed
      note={`${counted(output.lines.textCount, 'line')}${output.lines.isComplete ? '' : ' shown'} · ${bytes(output.size)}${isRunning && isLive.value ? ' · live' : ''}`}
      actions={
        <>
          <LogSearch
            wanted={wanted}
            hits={hits.length}
            hit={hit}
            onWanted={(text) => {
              setWanted(text);
              setFollowing(false);
            }}
            onStep={(step) => hits.length > 0 && setHit((hit + step + hits.length) % hits.length)}
          />
          <Button kind="quiet" pressed={isWrapped} onPress={() => setWrapped(!isWrapped)}>
            Wrap
          </Button>
          {isRunning && (
            <Button kind="quiet" pressed={isFollowing} onPress={() => setFollowing(!isFollowing)}>
              Follow
            </Button>
          )}
          <a
            class="button quiet icon-only"
            href={downloadOf(job.id, attempt)}
            download
            aria-label="Download"
            title="Download"
          >
            <Icon name="download" />
          </a>
        </>
      }
    >
      {output.from > 0 && (
        <p class="log-cut muted small">
          The first {bytes(output.from)} are not shown, so line numbers start there: +1, +2.{' '}
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Load everything
          </button>
        </p>
      )}
      <NotKept
        missing={output.lines.missing}
        onShow={(index) => {
          setFollowing(false);
          setShown(index);
        }}
      />
      {linked !== '' && !output.isLoading && output.lines.indexOf(linked) < 0 && (
        <p class="log-cut muted small" role="status">
          Line {linked} is not in this output.
        </p>
      )}
      <Viewer
        lines={output.lines}
        version={output.version}
        wanted={wanted}
        at={at}
        isWrapped={isWrapped}
        isGrowing={isRunning}
        isLinkable={output.from === 0 && !output.isLoading}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onPick={pick}
      />
    </Framed>
  );
}

/** The note above the lines, because the missing part is somewhere in the middle. */
const NotKept = (props: { missing: Lines['missing']; onShow: (index: number) => void }) =>
  props.missing && (
    <p class="log-cut muted small">
      {bytes(props.missing.bytes)} in the middle were not stored (log_max_bytes).{' '}
      <button type="button" class="link" onClick={() => props.onShow(props.missing?.at ?? -1)}>
        Show where
      </button>
    </p>
  );

const Framed = (props: Omit<Parameters<typeof Section>[0], 'title'>) => <Section title="Output" {...props} />;

const Nothing = ({ isRunning }: { isRunning: boolean }) => (
  <p class="muted log-nothing">{isRunning ? 'No output yet.' : 'No output.'}</p>
);

/** '12', or '+3' for a line after a missing part; '' if the URL has no line. */
const labelInHash = (): string => /^#L(\+?\d+)$/.exec(location.hash)?.[1] ?? '';

const downloadOf = (id: string, attempt: number): string =>
  `${API}${itemHref('jobs', id)}/output?attempt=${attempt}&download=true`;

interface SearchProps {
  readonly wanted: string;
  readonly hits: number;
  readonly hit: number;
  readonly onWanted: (text: string) => void;
  readonly onStep: (step: number) => void;
}

const LogSearch = ({ wanted, hits, hit, onWanted, onStep }: SearchProps) => (
  <search class="log-search">
    <Icon name="search" size={14} />
    <input
      aria-label="Search the output"
      placeholder="Search"
      spellcheck={false}
      value={wanted}
      onInput={(event) => onWanted(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
        if (event.key === 'Escape') onWanted('');
      }}
    />
    <span class="muted small" role="status">
      {wanted !== '' && (hits === 0 ? 'none' : `${count(hit + 1)} of ${count(hits)}`)}
    </span>
  </search>
);
