import { currentTheme, subscribeToSystemTheme } from '../ui/theme/theme.js';
import './Docs.css';
import { layout } from './layout.js';

interface Description {
  readonly components: {
    readonly schemas: {
      /** A description begins with the status: "404: Nothing is at this address." */
      readonly ProblemCode: { readonly oneOf: readonly { readonly const: string; readonly description: string }[] };
    };
  };
}

const byId = (id: string) => document.getElementById(id) as HTMLElement;

// Otherwise a part of Swagger UI scrolls to the place of each link itself, and the address stays as it is.
Object.assign(window, { noZensmooth: true });
applyTheme();
subscribeToSystemTheme(applyTheme);
show().catch(() => {
  byId('state').setAttribute('role', 'alert');
  byId('state').textContent =
    'The API’s description could not be loaded. Please check your connection and reload the page.';
});

/** The class is Swagger UI's. */
function applyTheme(): void {
  document.documentElement.classList.toggle('dark-mode', currentTheme() === 'dark');
}

async function show(): Promise<void> {
  const [description, { default: SwaggerUI }] = await Promise.all([
    load(),
    import('swagger-ui-dist/swagger-ui-es-bundle.js'),
  ]);
  await new Promise<void>((onDrawn) =>
    SwaggerUI({
      domNode: byId('api'),
      spec: description,
      plugins: [layout(onDrawn)],
      layout: 'DocsLayout',
      validatorUrl: null,
      defaultModelsExpandDepth: 0,
      persistAuthorization: false,
      displayRequestDuration: true,
    }),
  );
  byId('codes').append(...description.components.schemas.ProblemCode.oneOf.map(lineOf));
  byId('errors').hidden = false;
  byId('state').remove();
  // The browser has looked for the code of the address before its line was there.
  if (location.hash) location.replace(location.hash);
}

async function load(): Promise<Description> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
  return (await response.json()) as Description;
}

function lineOf({ const: code, description }: { const: string; description: string }): HTMLElement {
  const [status = '', meaning = ''] = description.split(/: (.*)/s);
  const link = Object.assign(make('a', code), { href: `#${code}` });
  const line = make('div', make('dt', make('b', status), ' ', link), make('dd', meaning));
  return Object.assign(line, { id: code });
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, ...content: (Node | string)[]) {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}
