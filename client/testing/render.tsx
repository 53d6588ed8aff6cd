import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render as renderAlone } from '@testing-library/react';
import { type ComponentType, Fragment, type ReactNode } from 'react';

/** As the pages render, in the language that is active. */
export function render(
  ui: ReactNode,
  { wrapper: Outer = Fragment }: { wrapper?: ComponentType<{ children: ReactNode }> } = {},
) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <I18nProvider i18n={i18n}>
      <Outer>{children}</Outer>
    </I18nProvider>
  );
  return renderAlone(ui, { wrapper });
}
