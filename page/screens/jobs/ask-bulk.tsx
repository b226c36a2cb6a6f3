// Before many jobs are changed: how many there are, which for example, what becomes of them, and the command line for it.

import { CommandLine } from '../../components/copy.tsx';
import { confirm } from '../../components/dialog.tsx';
import { count as text, counted } from '../../core/format.ts';
import { type BulkAction, commandFor, preview, run, type Target } from './bulk.ts';
import { clearSelection } from './selection.ts';

/** Says how many it would be, of those that the action is for, before anything happens. */
export async function askBulk(action: BulkAction, words: string, target: Target): Promise<void> {
  const { count, sample } = await preview(action, target, {});
  const verb = words.toLowerCase();
  if (count === 0)
    throw new Error(`None of these jobs can be changed by "${verb}" in its state.${leftOut(action, target)}`);
  confirm({
    title: `${words} ${counted(count, 'job')}?`,
    text: (
      <>
        <p class="muted">
          <span class="mono">{sample.slice(0, 5).join(' ')}</span>
          {count > 5 && ` and ${text(count - 5)} more.`} {CONSEQUENCE[action]}
          {leftOut(action, target)}
        </p>
        <CommandLine command={commandFor(action, target)} />
      </>
    ),
    action: `${words} ${counted(count, 'job')}`,
    isDangerous: action === 'delete' || action === 'cancel',
    run: async () => {
      await run(action, target, {});
      clearSelection();
    },
  });
}

/** A filter means completed jobs only if it names them: they have done their work. */
const leftOut = (action: BulkAction, target: Target): string =>
  action === 'retry' && 'filter' in target && !/(^|\s)state:/.test(target.filter)
    ? ' Completed jobs are left out: add state:completed to the search to run them again.'
    : '';

const CONSEQUENCE: Readonly<Partial<Record<BulkAction, string>>> = {
  retry: 'They run again now, with attempts from 0, also those that have completed.',
  cancel: 'Those that run are ended. They can be retried later.',
  delete: 'They go with their history and their output. This cannot be undone.',
  hold: 'They do not run until they are released.',
};
