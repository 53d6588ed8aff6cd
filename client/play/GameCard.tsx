import { texts } from '../texts/game.js';
import { Announcer } from '../ui/Announcer.js';
import { Button } from '../ui/Button.js';
import { Board } from './Board.js';
import { DifficultySelector } from './DifficultySelector.js';
import { GameNotice } from './GameNotice.js';
import { Status } from './Status.js';
import type { PlayedGame } from './useGame.js';
import './GameCard.css';

export function GameCard({ played }: { played: PlayedGame }) {
  const { round, difficulty, locked, announcement, mark, newGame, chooseDifficulty } = played;
  return (
    <section className="game" aria-label={texts.title}>
      <Status game={round.game} bonus={round.bonus} />
      <DifficultySelector value={difficulty} locked={locked} onChange={chooseDifficulty} />
      <Board game={round.game} onMark={mark} />
      <GameNotice {...played} />
      <Button look="main" className="game-new" onClick={newGame}>
        {texts.play.newGame}
      </Button>
      <Announcer text={announcement} />
    </section>
  );
}
