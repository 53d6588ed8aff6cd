/** The part of Swagger UI that this page uses: the package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Component = unknown;

  interface System {
    readonly React: {
      createElement: (component: Component, props?: object, ...children: unknown[]) => unknown;
      useEffect: (effect: () => void, dependencies: []) => void;
    };
    /** @param container `true` gives the component what it reads from the system */
    readonly getComponent: (name: string, container: true) => Component;
    readonly specSelectors: { info(): { get(member: 'description'): string } };
  }

  export type Plugin = (system: System) => { components: Record<string, Component> };

  interface Settings {
    domNode: Element;
    spec: object;
    plugins: Plugin[];
    /** The name of a component. */
    layout: string;
    validatorUrl: null;
    /** With 0, the schemas are folded. */
    defaultModelsExpandDepth: number;
    persistAuthorization: boolean;
    displayRequestDuration: boolean;
  }

  export default function SwaggerUI(settings: Settings): void;
}
