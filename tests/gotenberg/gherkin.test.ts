import { expect, test } from 'bun:test';
import { readFeature } from './gherkin.ts';

const SOURCE = `# TODO:
@first @second
Feature: /convert

  @split
  @slow
  Scenario: Two steps
    Given a service with:
      # A comment in a table.
      | LIST | ^a\\\\.b\\|c |
      | NONE |          |
    Then the body is:
      """
      first: "x"
        indented

      """

  Scenario: Another
    When I wait
    And I look
`;

test('reads scenarios, tags, tables and texts', () => {
  expect(readFeature(SOURCE)).toEqual({
    name: '/convert',
    scenarios: [
      {
        name: 'Two steps',
        line: 7,
        tags: ['@split', '@slow'],
        steps: [
          {
            text: 'a service with:',
            line: 8,
            table: [
              ['LIST', '^a\\.b|c'],
              ['NONE', ''],
            ],
          },
          { text: 'the body is:', line: 12, doc: 'first: "x"\n  indented\n' },
        ],
      },
      {
        name: 'Another',
        line: 19,
        tags: [],
        steps: [
          { text: 'I wait', line: 20 },
          { text: 'I look', line: 21 },
        ],
      },
    ],
  });
});

test.each([
  ['Scenario: A', 'line 1: a scenario before the feature: Scenario: A'],
  ['Feature: A\nFeature: B', 'line 2: a second feature: Feature: B'],
  ['Feature: A\nGiven a', 'line 2: a step without a scenario: Given a'],
  ['Feature: A\nScenario: B\n| a |', 'line 3: a row without a step: | a |'],
  ['Feature: A\nScenario: B\nGiven a\n| a', 'line 4: a row must end with |: | a'],
  ['Feature: A\nScenario: B\nGiven a\n"""\nb', 'line 4: a text without an end: """'],
  ['Feature: A\nScenario Outline: B', 'line 2: not understood: Scenario Outline: B'],
  ['', 'the file has no feature'],
])('refuses %j', (source, message) => {
  expect(() => readFeature(source)).toThrow(message);
});
