/**
 * Does the arithmetic of a Type 2 charstring, which is rare (Adobe Technical Note 5177, 4.4 to 4.6), on its stack. Operators that are not
 * known empty it.
 *
 * @param byte the operator behind the escape
 * @param variables the transient array, 32 numbers
 */
export function computeType2(byte: number, stack: number[], variables: number[]): void {
  const pop = (): number => stack.pop() ?? 0;
  const two = (compute: (one: number, other: number) => number): void => {
    const other = pop();
    stack.push(compute(pop(), other));
  };
  switch (byte) {
    case 3:
      return two((one, other) => (one !== 0 && other !== 0 ? 1 : 0));
    case 4:
      return two((one, other) => (one !== 0 || other !== 0 ? 1 : 0));
    case 5:
      return void stack.push(pop() === 0 ? 1 : 0);
    case 9:
      return void stack.push(Math.abs(pop()));
    case 10:
      return two((one, other) => one + other);
    case 11:
      return two((one, other) => one - other);
    case 12:
      return two((one, other) => (other === 0 ? 0 : one / other));
    case 14:
      return void stack.push(-pop());
    case 15:
      return two((one, other) => (one === other ? 1 : 0));
    case 18:
      return void pop();
    case 20: {
      const index = pop();
      variables[Math.min(Math.max(index, 0), 31)] = pop();
      return;
    }
    case 21:
      return void stack.push(variables[pop()] ?? 0);
    case 22: {
      const [one = 0, other = 0, left = 0, right = 0] = stack.splice(-4);
      return void stack.push(left <= right ? one : other);
    }
    case 23:
      return void stack.push(0.5);
    case 24:
      return two((one, other) => one * other);
    case 26:
      return void stack.push(Math.sqrt(Math.max(pop(), 0)));
    case 27:
      return void stack.push(stack.at(-1) ?? 0);
    case 28:
      return void stack.push(...stack.splice(-2).toReversed());
    case 29:
      return void stack.push(stack.at(-1 - Math.max(pop(), 0)) ?? 0);
    case 30: {
      const by = pop();
      const count = Math.max(0, Math.min(pop(), stack.length));
      const rolled = stack.splice(stack.length - count);
      const shift = count === 0 ? 0 : ((by % count) + count) % count;
      return void stack.push(...rolled.slice(count - shift), ...rolled.slice(0, count - shift));
    }
    default:
      stack.length = 0;
  }
}
