// The three completion scripts. Each runs `queuectl __complete` with the line up to the cursor, and uses its output:
// lines with a word, a tab and a description; or @files or @folders, which the shell completes itself.

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = String.raw`# queuectl completion for bash. The script calls queuectl itself, so it works with every version.
_queuectl() {
  local line=${'$'}{COMP_LINE:0:COMP_POINT} program=${'$'}{1/#\~\//$HOME/} word help
  type -P "$program" >/dev/null || program=queuectl
  # bash splits words at these characters and replaces only the part after the last one.
  local breaks=${'$'}{COMP_WORDBREAKS//[^=:]/} typed=${'$'}{line##*[[:space:]]} kept=
  [[ -n $breaks ]] && kept=${'$'}{typed%"${'$'}{typed##*[$breaks]}"}
  COMPREPLY=()
  compopt -o nosort 2>/dev/null
  while IFS=$'\t' read -r word help; do
    case $word in
      @files)
        compopt -o default 2>/dev/null
        [[ $typed != @* ]] || mapfile -t COMPREPLY < <(compgen -f -P @ -- "${'$'}{typed:1}")
        ;;
      @folders) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("${'$'}{word#"$kept"}") ;;
    esac
  done < <("$program" __complete -- "$line" 2>/dev/null)
}
complete -F _queuectl queuectl
`;

const ZSH = String.raw`#compdef queuectl
# queuectl completion for zsh. The script calls queuectl itself, so it works with every version.
_queuectl() {
  local program=${'$'}{~words[1]} line="${'$'}{(j: :)words[1,CURRENT-1]} $PREFIX" word help lists=
  local -a found
  whence -p "$program" >/dev/null || program=queuectl
  "$program" __complete -- "$line" 2>/dev/null | while IFS=$'\t' read -r word help; do
    case $word in
      @files | @folders) lists=$word ;;
      *) found+=("${'$'}{word//:/\\:}${'$'}{help:+:$help}") ;;
    esac
  done
  if [[ -n $lists ]]; then
    compset -P '--[^=]#=' || compset -P '@'
    [[ $lists == @folders ]] && _files -/ || _files
  else
    _describe -V queuectl found
  fi
}
if [[ $funcstack[1] == _queuectl ]]; then _queuectl "$@"; else compdef _queuectl queuectl; fi
`;

const FISH = String.raw`# queuectl completion for fish. The script calls queuectl itself, so it works with every version.
function __queuectl_complete
    set -l program (commandline -opc)[1]
    type -q "$program"; or set program queuectl
    set -l typed (commandline -ct)
    set -l kept (string match -r -- '^(?:--[^=]+=|@)' "$typed"; or echo)
    set -l found (command $program __complete -- (commandline -cp | string collect) 2>/dev/null)
    switch "$found[1]"
        case @files
            printf '%s\n' $kept(__fish_complete_path (string replace -- "$kept" '' "$typed"))
        case @folders
            printf '%s\n' $kept(__fish_complete_directories (string replace -- "$kept" '' "$typed"))
        case '*'
            printf '%s\n' $found
    end
end
complete -c queuectl -f -k -a '(__queuectl_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
