import { useLingui } from '@lingui/react/macro';
import { Moon, Sun } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { Button } from '../Button.js';
import { listen } from '../listen.js';
import { stored } from '../stored.js';

export type Theme = 'light' | 'dark';

// `firstPaint.js` repeats the key and the choice of the bar's colour: it is inlined and cannot import this file.
const KEY = 'tic-tac-toe.theme';

const systemIsDark = () => window.matchMedia('(prefers-color-scheme: dark)');

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark().matches ? 'dark' : 'light';
}

/** Stores a theme that differs from the system's. Otherwise the page follows the system again. */
function chooseTheme(theme: Theme): void {
  delete document.documentElement.dataset.theme;
  document.querySelector('meta[media=all]')?.remove();
  stored.set(KEY, null);
  if (currentTheme() === theme) return;
  document.documentElement.dataset.theme = theme;
  // Browsers use the first theme colour that applies.
  const bar = document.querySelector(`meta[media*=${theme}]`)!.cloneNode() as Element;
  bar.setAttribute('media', 'all');
  document.head.prepend(bar);
  stored.set(KEY, theme);
}

/** Calls back when the system changes between light and dark. */
export const subscribeToSystemTheme = (listener: () => void) => listen(systemIsDark(), 'change', listener);

export function ThemeToggle() {
  const { t } = useLingui();
  const [, redraw] = useState(0);
  const theme = useSyncExternalStore(subscribeToSystemTheme, currentTheme);
  const change = () => {
    chooseTheme(other);
    redraw((count) => count + 1);
  };
  const other = theme === 'dark' ? 'light' : 'dark';
  const name = other === 'dark' ? t`Use the dark theme` : t`Use the light theme`;
  return (
    <Button
      look="quiet"
      // The colours change every element, so the next frame answers the press first.
      onClick={() => requestAnimationFrame(() => setTimeout(change))}
    >
      {other === 'dark' ? <Moon aria-hidden /> : <Sun aria-hidden />}
      <span>{name}</span>
    </Button>
  );
}
