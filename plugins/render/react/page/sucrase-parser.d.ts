// sucrase publishes the types of its inner modules in another folder than the modules.
declare module 'sucrase/dist/esm/parser/index.js' {
  export { parse } from 'sucrase/dist/types/parser/index.js';
}
declare module 'sucrase/dist/esm/parser/tokenizer/types.js' {
  export { TokenType } from 'sucrase/dist/types/parser/tokenizer/types.js';
}
