import { messages } from '../messages/game.js';
import { Card } from '../ui/Card.js';
import './HowToPlay.css';

export function HowToPlay() {
  return (
    <Card title={messages.how.title} className="how">
      <dl>
        {messages.how.rows.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
