import { Moon, Sun } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { texts } from '../texts/game.js';
import { Button } from './Button.js';
import { chooseTheme, currentTheme, watchSystemTheme } from './theme.js';

export function ThemeToggle() {
  const [, redraw] = useState(0);
  const theme = useSyncExternalStore(watchSystemTheme, currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Button
      look="quiet"
      aria-label={other === 'dark' ? texts.theme.toDark : texts.theme.toLight}
      title={other === 'dark' ? texts.theme.toDark : texts.theme.toLight}
      onClick={() => {
        chooseTheme(other);
        redraw((count) => count + 1);
      }}
    >
      {other === 'dark' ? <Moon aria-hidden /> : <Sun aria-hidden />}
    </Button>
  );
}
