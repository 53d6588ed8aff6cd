import { useState } from 'react';
import './Avatar.css';

/** A picture beside a name, so it needs no alternative text. It falls back to the first letter of the name. */
export function Avatar({ name, picture }: { name: string; picture: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!picture || broken === picture) {
    return (
      <span className="avatar avatar-letter" aria-hidden="true" translate="no">
        {[...name][0]?.toUpperCase()}
      </span>
    );
  }
  return (
    <img
      className="avatar"
      src={picture}
      alt=""
      width={40}
      height={40}
      referrerPolicy="no-referrer"
      decoding="async"
      onError={() => setBroken(picture)}
    />
  );
}
