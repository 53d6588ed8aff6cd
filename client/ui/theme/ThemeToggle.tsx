import { Moon, Sun } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { messages } from '../../messages/game.js';
import { Button } from '../Button.js';
import { chooseTheme, currentTheme, subscribeToSystemTheme } from './theme.js';

export function ThemeToggle() {
  const [, redraw] = useState(0);
  const theme = useSyncExternalStore(subscribeToSystemTheme, currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Button
      look="quiet"
      aria-label={other === 'dark' ? messages.theme.toDark : messages.theme.toLight}
      title={other === 'dark' ? messages.theme.toDark : messages.theme.toLight}
      onClick={() => {
        chooseTheme(other);
        redraw((count) => count + 1);
      }}
    >
      {other === 'dark' ? <Moon aria-hidden /> : <Sun aria-hidden />}
    </Button>
  );
}
