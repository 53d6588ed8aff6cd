import type { Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** Swagger UI's parts in a page of ours: without its second heading, its second `main`, and its choice of one server. */
export const layout =
  (onDrawn: () => void): Plugin =>
  ({ React: { createElement, useEffect }, getComponent, specSelectors }) => {
    const part = (name: string, props?: object) => createElement(getComponent(name, true), props);
    const DocsLayout = () => {
      useEffect(onDrawn, []);
      return createElement(
        'div',
        { className: 'swagger-ui' },
        part('SvgAssets'),
        part('errors'),
        part('Markdown', { source: specSelectors.info().get('description') }),
        createElement(
          'div',
          { className: 'docs-title' },
          createElement('h2', {}, 'Operations'),
          part('AuthorizeBtnContainer'),
        ),
        part('operations'),
        part('Models'),
      );
    };
    return { components: { DocsLayout } };
  };
