import { texts } from '../texts/game.js';
import { Card } from '../ui/Card.js';
import './HowToPlay.css';

export function HowToPlay() {
  return (
    <Card title={texts.how.title} className="how">
      <dl>
        {texts.how.rows.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
