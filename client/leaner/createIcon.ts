import { createElement } from 'react';
import type { ReactElement, SVGProps } from 'react';

interface Drawing {
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

/**
 * Makes a component of one of Lucide's drawings, in place of the library's own function (see vite.config.ts): that one
 * also takes sizes, colours and names, which a style sheet gives here.
 */
export default function createIcon({ node }: Drawing): (props: SVGProps<SVGSVGElement>) => ReactElement {
  return (props) =>
    createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
