import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';

/** Opens today's challenge until its panel is loaded, and where it cannot be. */
export function TodayEntry({ onOpen }: { onOpen: () => void }) {
  return (
    <Card className="today" title={messages.challenge}>
      <Button onClick={onOpen}>{messages.playChallenge}</Button>
    </Card>
  );
}
