import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Tabs } from './Tabs.js';
import { render } from '../testing/render.js';

const TABS = ['one', 'two', 'three'].map((name) => ({ name, label: `Tab ${name}` }));

function Page() {
  const [selected, setSelected] = useState('one');
  return (
    <Tabs label="Numbers" tabs={TABS} selected={selected} shown={selected} onSelect={setSelected}>
      Content of {selected} <button>Inside</button>
    </Tabs>
  );
}

it('selects a tab with the arrow keys, Home and End, and moves the focus with it', async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.tab();
  for (const [key, name] of [
    ['ArrowRight', 'two'],
    ['End', 'three'],
    ['ArrowRight', 'one'],
    ['ArrowLeft', 'three'],
    ['Home', 'one'],
  ]) {
    await user.keyboard(`{${key}}`);
    const tab = screen.getByRole('tab', { selected: true });
    expect(tab).toHaveFocus();
    expect(tab).toHaveAccessibleName(`Tab ${name}`);
    const panel = screen.getByRole('tabpanel', { name: `Tab ${name}` });
    expect(panel).toHaveTextContent(`Content of ${name}`);
    expect(tab).toHaveAttribute('aria-controls', panel.id);
  }
  await user.tab();
  expect(screen.getByRole('button', { name: 'Inside' })).toHaveFocus();
});
