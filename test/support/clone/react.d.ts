// As much of React's types as tells a component that compiles from one that does not.
declare function h(tag: string, props: object | null, ...children: unknown[]): unknown;
declare module '*.css';

declare namespace JSX {
  type Element = unknown;
  type Common = {
    className?: string;
    id?: string;
    style?: Record<string, string>;
    children?: unknown;
    disabled?: boolean;
    defaultValue?: string;
    defaultChecked?: boolean;
    selected?: boolean;
    colSpan?: number;
    rowSpan?: number;
    rows?: number;
    cols?: number;
    size?: number;
    start?: number;
    class?: never;
    for?: never;
    checked?: never;
    onclick?: never;
  };
  type Any = Common & { value?: string | number } & Record<string, unknown>;
  interface IntrinsicElements {
    input: Common & { value?: never } & Record<string, unknown>;
    li: Common & { value?: number } & Record<string, unknown>;
    textarea: Common & { value?: never; children?: never } & Record<string, unknown>;
    lineargradient: never;
    clippath: never;
    [tag: string]: Any;
  }
  interface ElementChildrenAttribute {
    children: unknown;
  }
}
