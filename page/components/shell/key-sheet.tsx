// The list of keys, made from the active keys of the screen; and the keys that work on every screen.

import { activeKeys, type Key, useKeys } from '../../core/keys.ts';
import { togglePause } from '../../core/live.ts';
import { close, isPaletteOpen, isSheetOpen, open } from '../../core/overlays.ts';
import { PLACES } from '../../core/places.ts';
import { navigate } from '../../core/router.ts';
import { chooseTheme, nextTheme } from '../../core/theme.ts';
import { Dialog } from '../dialog.tsx';

const EVERYWHERE: readonly Key[] = [
  { keys: 'Ctrl K', does: 'search everything', part: 'Everywhere', run: open(isPaletteOpen), isAlways: true },
  { keys: '?', does: 'show this list', part: 'Everywhere', run: open(isSheetOpen) },
  { keys: 'p', does: 'pause or resume live updates', part: 'Everywhere', run: togglePause },
  {
    keys: 't',
    does: 'change the colour scheme',
    part: 'Everywhere',
    run: () => chooseTheme(nextTheme()),
  },
  ...PLACES.map(({ key, title, href }) => ({
    keys: `g ${key}`,
    does: title,
    part: 'Go to',
    run: () => navigate(href),
  })),
];

export const useShellKeys = (): void => useKeys(EVERYWHERE);

export function KeySheet() {
  if (!isSheetOpen.value) return null;
  const parts = Map.groupBy(activeKeys.value, ({ part }) => part);
  return (
    <Dialog title="Keys" kind="wide" onClose={close(isSheetOpen)}>
      <div class="keys-sheet">
        {[...parts].map(([part, keys]) => (
          <section key={part}>
            <h3>{part}</h3>
            <ul>
              {keys.map(({ keys, does }) => (
                <li key={keys}>
                  <span>{does}</span>
                  <span>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
