// Checks a command against the policy as the current user, without enqueuing it.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/feedback.tsx';
import { sentence } from '../../core/sentence.ts';
import { ChoiceField, TextField } from '../../components/form/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/screen.tsx';
import { send } from '../../core/api.ts';
import { session } from '../../core/session.ts';
import { shellWords } from '../../core/shell-words.ts';
import type { Answer } from '../../core/types.ts';

type Check = Answer<'checkPolicy'>;

const HOW = [
  { value: 'words', words: 'as a program and its arguments' },
  { value: 'shell', words: 'in the shell' },
] as const;

export function PolicyCheck() {
  const [command, setCommand] = useState('');
  const [how, setHow] = useState<'words' | 'shell'>('words');
  const [queue, setQueue] = useState('');
  const [cwd, setCwd] = useState('');
  const [answer, setAnswer] = useState<Check | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ask = async (event: Event): Promise<void> => {
    event.preventDefault();
    const job = {
      command: how === 'shell' ? command : (shellWords(command) ?? command),
      ...(queue.trim() && { queue: queue.trim() }),
      ...(cwd.trim() && { cwd: cwd.trim() }),
    };
    const found = await send<Check>('POST', '/policy/check', job).catch((thrown: unknown) => {
      setError(thrown);
      return null;
    });
    setAnswer(found);
    if (found) setError(null);
  };
  const forget = (set: (value: string) => void) => (value: string) => {
    set(value);
    setAnswer(null);
  };
  return (
    <Section title="Check a command" note={`as ${session.value?.name ?? ''}; nothing is enqueued`}>
      <form class="policy-check" onSubmit={ask}>
        <div class="form">
          <TextField
            label="Command"
            placeholder="convert a.png b.jpg"
            value={command}
            onInput={forget(setCommand)}
            isMono
            isRequired
            isFull
          />
          <ChoiceField label="Run" value={how} choices={HOW} onChoose={forget(setHow as (value: string) => void)} />
          <TextField label="Queue" placeholder="default" value={queue} onInput={forget(setQueue)} />
          <TextField
            label="Directory"
            placeholder="the server’s directory"
            value={cwd}
            onInput={forget(setCwd)}
            isMono
          />
          <div class="check-button">
            <Button type="submit" icon="policy">
              Check
            </Button>
          </div>
        </div>
        <div class="check-answer" role="status">
          {Boolean(error) && <Problem error={error} />}
          {answer && <Verdict answer={answer} />}
        </div>
      </form>
    </Section>
  );
}

const Verdict = ({ answer }: { answer: Check }) => (
  <div class="verdict" data-allowed={answer.is_allowed}>
    <Icon name={answer.is_allowed ? 'check' : 'cancel'} />
    <div>
      <p class="name">{answer.is_allowed ? 'Allowed' : `Rejected: ${answer.reason}`}</p>
      {answer.hint && <p class="muted">{sentence(answer.hint)}</p>}
    </div>
  </div>
);
