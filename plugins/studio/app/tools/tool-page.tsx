import type { ComponentChildren } from 'preact';
import { ViewHead } from '../ui/states.tsx';

/** Renders the frame of a tool: its title, and the form next to the result. */
export function ToolPage(props: {
  title: string;
  text: string;
  form: ComponentChildren;
  result: ComponentChildren;
}) {
  return (
    <div class="page">
      <p class="crumb">
        <a href="/studio/tools">PDF tools</a>
      </p>
      <ViewHead title={props.title} text={props.text} />
      <div class="tool">
        <div class="stack">{props.form}</div>
        <div class="stack">{props.result}</div>
      </div>
    </div>
  );
}
