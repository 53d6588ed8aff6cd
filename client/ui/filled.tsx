import type { ReactNode } from 'react';

/** A sentence with an element in the place of `<0>…</0>`, wherever its language puts it. */
export function filled(sentence: string, element: (text: string) => ReactNode): ReactNode {
  const [before, text = '', after] = sentence.split(/<\/?0>/);
  return (
    <>
      {before && <span>{before}</span>}
      {element(text)}
      {after && <span>{after}</span>}
    </>
  );
}
