#compdef hallmark
# Completion of hallmark for zsh, as `hallmark completion zsh` prints it. The program says what may follow.

_hallmark() {
  local -a answer whole whole_shown begun begun_shown
  local line text shown
  answer=("${(@f)$("${(Q)words[1]}" complete-words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    text=${line%%$'\t'*}
    shown=$text
    [[ $line == *$'\t'* ]] && shown="$text  -- ${line#*$'\t'}"
    # More follows: a port behind a host, a name behind a folder.
    if [[ $text == *[/:=] ]]; then
      begun+=("$text")
      begun_shown+=("$shown")
    else
      whole+=("$text")
      whole_shown+=("$shown")
    fi
  done
  (( ${#whole} )) && compadd -l -d whole_shown -a whole
  (( ${#begun} )) && compadd -l -S '' -d begun_shown -a begun
  case ${answer[1]} in
    files) _files ;;
    directories) _files -/ ;;
  esac
}

# Loaded from a directory of $fpath, this file is the function; sourced, it only defines it.
if [[ ${funcstack[1]} == _hallmark ]]; then
  _hallmark "$@"
else
  compdef _hallmark hallmark
fi
