# Completion of hallmark for fish, as `hallmark completion fish` prints it. The program says what may follow.

function __hallmark_candidates
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    test -n "$typed"; or set typed ''
    set -l answer (command $words[1] complete-words $words[2..] $typed 2>/dev/null)
    test (count $answer) -gt 0; or return
    set -l paths $answer[1]
    set -e answer[1]
    test (count $answer) -gt 0; and printf '%s\n' $answer
    switch $paths
        case files
            __fish_complete_path $typed
        case directories
            __fish_complete_directories $typed
    end
end

complete -c hallmark -f -a '(__hallmark_candidates)'
