// Login with a token, or with a name and a password.

import { useState } from 'preact/hooks';
import { loginProblem, logIn } from '../../core/session.ts';
import { Button } from '../button.tsx';
import { CommandLine } from '../copy.tsx';
import { Problem } from '../feedback.tsx';

export function LogIn() {
  const [by, setBy] = useState<'token' | 'password'>('token');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(given.get(name) ?? '');
    void logIn(by === 'token' ? { token: text('token').trim() } : { user: text('user'), password: text('password') });
  };
  return (
    <main class="login">
      <form onSubmit={submit}>
        <h1>queuectl</h1>
        {loginProblem.value ? (
          <Problem error={loginProblem.value} />
        ) : (
          <p class="muted">Open the URL that the server printed when it started, or log in here.</p>
        )}
        {by === 'token' ? <TokenField /> : <PasswordFields />}
        <Button kind="primary" type="submit">
          Log in
        </Button>
        <Button kind="quiet" onPress={() => setBy(by === 'token' ? 'password' : 'token')}>
          {by === 'token' ? 'Use a name and a password' : 'Use a token'}
        </Button>
        <div class="field">
          <span class="hint">No token? Create one on the server’s host:</span>
          <CommandLine command="queuectl token add me --role operator" />
        </div>
      </form>
    </main>
  );
}

const TokenField = () => (
  <label class="field">
    <span>Token</span>
    <input class="input mono" name="token" type="password" autoComplete="off" required />
  </label>
);

const PasswordFields = () => (
  <>
    <label class="field">
      <span>Name</span>
      <input class="input" name="user" autoComplete="username" required />
    </label>
    <label class="field">
      <span>Password</span>
      <input class="input" name="password" type="password" autoComplete="current-password" required />
    </label>
  </>
);
