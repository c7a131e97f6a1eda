/**
 * Executes an arithmetic, storage or conditional operator of a Type 2 charstring, given by its second byte
 * (Adobe Technical Note 5177, 4.4 to 4.6). Returns false for any other operator.
 */
export function compute(byte: number, stack: number[], variables: number[]): boolean {
  const pop = (): number => stack.pop() ?? 0;
  const two = (combine: (one: number, other: number) => number): void => {
    const other = pop();
    stack.push(combine(pop(), other));
  };
  switch (byte) {
    case 3:
      two((one, other) => (one !== 0 && other !== 0 ? 1 : 0));
      break;
    case 4:
      two((one, other) => (one !== 0 || other !== 0 ? 1 : 0));
      break;
    case 5:
      stack.push(pop() === 0 ? 1 : 0);
      break;
    case 9:
      stack.push(Math.abs(pop()));
      break;
    case 10:
      two((one, other) => one + other);
      break;
    case 11:
      two((one, other) => one - other);
      break;
    case 12:
      two((one, other) => (other === 0 ? 0 : one / other));
      break;
    case 14:
      stack.push(-pop());
      break;
    case 15:
      two((one, other) => (one === other ? 1 : 0));
      break;
    case 18:
      pop();
      break;
    case 20:
      {
        const index = pop();
        variables[Math.min(Math.max(index, 0), 31)] = pop();
      }
      break;
    case 21:
      stack.push(variables[pop()] ?? 0);
      break;
    case 22:
      {
        const [one = 0, other = 0, left = 0, right = 0] = stack.splice(-4);
        stack.push(left <= right ? one : other);
      }
      break;
    case 23:
      stack.push(0.5);
      break;
    case 24:
      two((one, other) => one * other);
      break;
    case 26:
      stack.push(Math.sqrt(Math.max(pop(), 0)));
      break;
    case 27:
      stack.push(stack.at(-1) ?? 0);
      break;
    case 28:
      stack.push(...stack.splice(-2).toReversed());
      break;
    case 29:
      stack.push(stack.at(-1 - Math.max(pop(), 0)) ?? 0);
      break;
    case 30:
      {
        const by = pop();
        const count = Math.max(0, Math.min(pop(), stack.length));
        const rolled = stack.splice(stack.length - count);
        const shift = count === 0 ? 0 : ((by % count) + count) % count;
        stack.push(...rolled.slice(count - shift), ...rolled.slice(0, count - shift));
      }
      break;
    default:
      return false;
  }
  return true;
}
