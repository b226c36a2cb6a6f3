// Confirms a bulk operation with the number of jobs, examples, the effect and the command.

import { CommandLine } from '../../components/copy.tsx';
import { confirm } from '../../components/dialog.tsx';
import { count as text, counted } from '../../core/format.ts';
import { type BulkAction, commandFor, preview, run, type Target } from './bulk.ts';
import { clearSelection } from './selection.ts';

/** Shows the number of affected jobs before anything changes. */
export async function askBulk(action: BulkAction, words: string, target: Target): Promise<void> {
  const { count, sample } = await preview(action, target);
  const verb = words.toLowerCase();
  if (count === 0)
    throw new Error(
      `"${verb}" is not possible for any of these jobs in their current state.${leftOut(action, target)}`,
    );
  confirm({
    title: `${words} ${counted(count, 'job')}?`,
    text: (
      <>
        <p class="muted">
          <span class="mono">{sample.slice(0, 5).join(' ')}</span>
          {count > 5 && ` and ${text(count - 5)} more`}. {CONSEQUENCE[action]}
          {leftOut(action, target)}
        </p>
        <CommandLine command={commandFor(action, target)} />
      </>
    ),
    action: `${words} ${counted(count, 'job')}`,
    isDangerous: action === 'delete' || action === 'cancel',
    run: async () => {
      await run(action, target);
      clearSelection();
    },
  });
}

/** A filter includes completed jobs only if it names a state, so that finished work is not repeated by accident. */
const leftOut = (action: BulkAction, target: Target): string =>
  action === 'retry' && 'filter' in target && !/(^|\s)state:/.test(target.filter)
    ? ' Completed jobs are not included. To retry them, add state:completed to the search.'
    : '';

const CONSEQUENCE: Readonly<Partial<Record<BulkAction, string>>> = {
  retry: 'These jobs start again with attempt 1, including completed jobs.',
  cancel: 'Running jobs are stopped. You can retry cancelled jobs later.',
  delete: 'Deletes the jobs with their history and output. This cannot be undone.',
  hold: 'These jobs do not start until you release them.',
};
