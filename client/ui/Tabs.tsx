import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { inReadingOrder } from './readingOrder.js';
import './Tabs.css';

interface Props<Name extends string> {
  label: string;
  tabs: readonly { readonly name: Name; readonly label: string }[];
  selected: Name;
  /** The tab of the content, which can follow the selection later. */
  shown: Name;
  onSelect: (name: Name) => void;
  children: ReactNode;
}

/** Tabs above one panel. The arrow keys, Home and End select a tab; the Tab key goes on to the panel. */
export function Tabs<Name extends string>({ label, tabs, selected, shown, onSelect, children }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === selected);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[inReadingOrder(event.key)];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!tab || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onSelect(tab.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.name}"]`)?.focus();
  };

  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            className="tab"
            role="tab"
            id={`${id}${name}`}
            data-tab={name}
            aria-selected={name === selected}
            aria-controls={name === shown ? `${id}panel` : undefined}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}panel`} aria-labelledby={id + shown} key={shown}>
        {children}
      </div>
    </>
  );
}
