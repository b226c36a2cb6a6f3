// The colour scheme: the system's until the user chooses one.

import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

export const THEME_ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const;

const KEY = 'queuectl-theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(prefersDark.matches);

export const theme = signal<Theme>(stored());

function stored(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return THEMES.find((one) => one === found) ?? 'system';
  } catch {
    return 'system'; // storage may be disabled
  }
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // the choice then lasts until the page is closed
  }
}

export const nextTheme = (): Theme => THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';

export function startTheme(): void {
  prefersDark.addEventListener('change', () => {
    systemIsDark.value = prefersDark.matches;
  });
  effect(() => {
    const isDark = theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value);
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  });
}
