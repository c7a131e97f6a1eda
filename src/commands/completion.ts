import { Argument, type Command, type Option } from 'commander';
import { UsageError } from './failures.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** A command with the words that may follow it. */
export interface CompletedCommand {
  /** The names that lead to it, such as `templates pull`; empty for `platen` itself. */
  path: string;
  commands: { name: string; description: string }[];
  /** The values of its arguments, as far as they are a choice; other arguments are files. */
  argumentChoices: string[];
  options: { names: string[]; description: string; takesValue: boolean; choices: string[] }[];
}

/** Adds `platen completion`. The commands of the program at that moment are completed. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Load it in each new shell:
  bash  echo 'eval "$(platen completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(platen completion zsh)"' >> ~/.zshrc
  fish  platen completion fish > ~/.config/fish/completions/platen.fish`,
    )
    .action((shell: Shell) => console.log(completionScript(shell, completedCommands(program))));
}

/** Lists a command and the commands inside of it. */
export function completedCommands(command: Command, path = ''): CompletedCommand[] {
  const commands = command.commands.map((each) => ({ name: each.name(), description: each.description() }));
  const options = [...command.options, ...helpOptionOf(command)].map((option) => ({
    names: [option.short, option.long].filter((name) => name !== undefined && name !== null),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: [...(option.argChoices ?? [])],
  }));
  const inner = command.commands.flatMap((each) => completedCommands(each, `${path} ${each.name()}`.trim()));
  const argumentChoices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [{ path, commands, argumentChoices, options }, ...inner];
}

/** Returns the script of a shell. @throws {UsageError} for an unknown shell */
export function completionScript(shell: string, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      // zsh runs the completion of bash.
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case 'fish':
      return fishScript(commands);
    default:
      throw new UsageError(`"${shell}" is not a known shell; the shells are ${SHELLS.join(', ')}`);
  }
}

/** The option `--help`, which commander does not list among the options. */
function helpOptionOf(
  command: Command,
): Pick<Option, 'short' | 'long' | 'description' | 'required' | 'optional' | 'argChoices'>[] {
  if (command.name() === 'wkhtmltopdf') return [];
  return [{ short: '-h', long: '--help', description: 'show the help', required: false, optional: false }];
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const wordsOf = (each: CompletedCommand) => [
    ...each.commands.map(({ name }) => name),
    ...each.argumentChoices,
  ];
  const words = commands
    .filter((each) => wordsOf(each).length > 0)
    .map((each) => `    '${each.path}') words='${wordsOf(each).join(' ')}' ;;`);
  const flags = commands.map(
    ({ path, options }) => `    '${path}') words='${options.flatMap(({ names }) => names).join(' ')}' ;;`,
  );
  const patternOf = (path: string, names: readonly string[]) =>
    names.map((name) => `'${`${path} ${name}`.trim()}'`).join('|');
  const valued = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ names, choices }) => `    ${patternOf(path, names)}) words='${choices.join(' ')}' isValue=1 ;;`,
      ),
  );
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `_platen() {
  local IFS=$' \t\n' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' word words='' isValue=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "\${path:+$path }$previous" in
${valued.join('\n')}
  esac
  if [ -z "$isValue" ]; then
    if [ "\${current:0:1}" = '-' ]; then
      case "$path" in
${flags.join('\n')}
      esac
    else
      case "$path" in
${words.join('\n')}
      esac
    fi
  fi
  local words="$(compgen -W "$words" -- "$current")"
  IFS=$'\n'
  if [ -n "$words" ]; then
    COMPREPLY=($words)
  else
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _platen platen`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, commands: inner, argumentChoices, options }) => {
    const condition = fishCondition(path, inner);
    return [
      ...(argumentChoices.length === 0
        ? []
        : [`complete -c platen -f ${condition} -a ${quoted(argumentChoices.join(' '))}`]),
      ...inner.map(
        ({ name, description }) => `complete -c platen -f ${condition} -a ${name} -d ${quoted(description)}`,
      ),
      ...options.map(({ names, description, takesValue, choices }) => {
        const flags = names.map((name) =>
          name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        );
        const values = choices.length > 0 ? ` -xa ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c platen ${condition} ${flags.join(' ')}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  return lines.join('\n');
}

/** The condition under which the words of a command are completed: its names are given, but no inner one. */
function fishCondition(path: string, inner: readonly { name: string }[]): string {
  const names = inner.map(({ name }) => name).join(' ');
  if (path === '') return '-n __fish_use_subcommand';
  const given = path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`);
  const absent = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
  return `-n ${quoted([...given, ...absent].join('; and '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
