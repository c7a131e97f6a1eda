/** Compiles and renders a caller's component. Runs in the browser page. */
import { ENTRY, MAX_MARKUP_LENGTH, OUTCOME } from '../outcome.ts';
import { compile } from './compile.ts';
import { describeFault } from './describe-fault.ts';
import { CompileError } from './faults.ts';
import { loadComponent } from './load-component.ts';
import { renderToMarkup } from './render-to-markup.ts';

/** The longest message that is sent to the service, which shows only its beginning. */
const MAX_FAULT_LENGTH = 3_000_000;

/** Renders a component with data (JSON) as its props. Returns an outcome. */
function renderComponent(source: string, data: string): string {
  Reflect.deleteProperty(globalThis, ENTRY.renderComponent);
  try {
    const markup = renderToMarkup(loadComponent(compile(source)), JSON.parse(data) as object);
    if (markup.length <= MAX_MARKUP_LENGTH) return OUTCOME.markup + markup;
    return `${OUTCOME.fault}the component's markup is longer than ${MAX_MARKUP_LENGTH} characters`;
  } catch (error) {
    const fault = describeFault(error);
    const text =
      fault.length <= MAX_FAULT_LENGTH ? fault : `the component threw ${fault.length} characters of text`;
    return (error instanceof CompileError ? OUTCOME.syntax : OUTCOME.fault) + text;
  }
}

Object.assign(globalThis, { [ENTRY.renderComponent]: renderComponent });
