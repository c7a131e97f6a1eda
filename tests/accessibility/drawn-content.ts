/** Content that Chromium draws without tags: its name, its HTML, and the described elements of the PDF. */
export const drawnContent: [name: string, html: string, expected: string[]][] = [
  [
    'the value of a select',
    '<p>C <select><option>Red<option selected>Green</select>',
    ['Form ActualText Green'],
  ],
  [
    'a select with a label of its own',
    '<select aria-label="C"><option>Red</select>',
    ['Form ActualText Red'],
  ],
  [
    'a list box',
    '<label>C <select multiple><option>Red<option selected>Green</select></label>',
    ['Form Alt Red, ✓ Green'],
  ],
  ['a meter', '<meter value=".5" aria-label="Use">half</meter>', ['Form Alt Use: 50 %']],
  ['a progress bar', '<label>Done <progress value="7" max="10"></progress></label>', ['Form Alt 70 %']],
  ['a slider', '<label>N <input type="range" value="30"></label>', ['Form Alt 30']],
  ['a colour', '<label>N <input type="color" value="#ff0000"></label>', ['Form Alt #ff0000']],
  ['a placeholder', '<label>N <input placeholder="Your name"></label>', ['Form Alt Your name']],
  [
    'the placeholder of a text area',
    '<label>N <textarea placeholder="Words"></textarea></label>',
    ['Form Alt Words'],
  ],
  [
    'a formula by its parts',
    '<p>x <math><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac></math>',
    ['Formula Alt a/(√b)'],
  ],
  [
    'a formula by alttext',
    '<p>x <math alttext="a over b"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>',
    ['Formula Alt a over b'],
  ],
  [
    'a formula by aria-label',
    '<math display="block" aria-label="half"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    ['Formula Alt half'],
  ],
  [
    'a formula with scripts',
    '<math><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msubsup><mi>y</mi><mi>i</mi><mn>10</mn></msubsup></mrow></math>',
    ['Formula Alt x^2 + y_i^(10)'],
  ],
  [
    'a formula of KaTeX',
    `<style>.katex-mathml{clip:rect(1px,1px,1px,1px);height:1px;overflow:hidden;position:absolute;width:1px}</style>
    <p>k <span class="katex"><span class="katex-mathml"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><i>a</i></span></span>`,
    ['Formula Alt a'],
  ],
  ['a formula in a link', '<a href="https://example.com/"><math><mi>a</mi></math></a>', ['Formula Alt a']],
  [
    'a select in a shadow tree',
    '<div><template shadowrootmode="open"><select><option>Red</select></template></div>',
    ['Form ActualText Red'],
  ],
];
