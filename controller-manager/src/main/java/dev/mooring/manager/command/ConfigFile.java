package dev.mooring.manager.command;

import dev.mooring.text.NameSuggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * YAML file of flags: names without dashes, and lists for repeatable flags. A flag on the command
 * line replaces the file's flag.
 */
public final class ConfigFile {
  static final String FLAG = "--config";

  // Accepts flags of run in all commands, because several commands may share a file.
  private static final String RUN = "run";

  private final CommandLine command;
  private final CommandLine run;
  private final String file;
  private final List<String> arguments;

  private ConfigFile(CommandLine command, CommandLine run, String file, List<String> arguments) {
    this.command = command;
    this.run = run;
    this.file = file;
    this.arguments = arguments;
  }

  public static String[] expandArguments(CommandLine line, String[] args) throws UsageException {
    CommandLine command = args.length == 0 ? null : line.getSubcommands().get(args[0]);
    if (command == null || command.getCommandSpec().findOption(FLAG) == null) {
      return args;
    }
    List<String> arguments = Arrays.asList(args).subList(1, args.length);
    Optional<String> file = file(arguments);
    if (file.isEmpty()) {
      return args;
    }
    CommandLine run =
        line.getSubcommands().containsKey(RUN)
            ? line.getSubcommands().get(RUN)
            : FlagTypes.commandLine(new RunCommand());
    List<String> expandedArguments = new ArrayList<>(List.of(args[0]));
    expandedArguments.addAll(new ConfigFile(command, run, file.get(), arguments).flags());
    expandedArguments.addAll(arguments);
    return expandedArguments.toArray(String[]::new);
  }

  // Returns the last file, because the last occurrence of a flag counts.
  private static Optional<String> file(List<String> arguments) {
    Optional<String> file = Optional.empty();
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).startsWith(FLAG + "=")) {
        file = Optional.of(arguments.get(i).substring(FLAG.length() + 1));
      } else if (arguments.get(i).equals(FLAG) && i + 1 < arguments.size()) {
        file = Optional.of(arguments.get(i + 1));
      }
    }
    return file;
  }

  private List<String> flags() throws UsageException {
    List<String> flags = new ArrayList<>();
    for (Map.Entry<?, ?> entry : read().entrySet()) {
      String key = String.valueOf(entry.getKey());
      OptionSpec option = command.getCommandSpec().findOption("--" + key);
      if (option == null || key.equals("config") || option.usageHelp() || option.versionHelp()) {
        if (run.getCommandSpec().findOption("--" + key) == null || option != null) {
          throw unknown(key);
        }
      } else if (Arrays.stream(option.names()).noneMatch(this::isGiven)) {
        add(flags, key, option, entry.getValue());
      }
    }
    return flags;
  }

  private Map<?, ?> read() throws UsageException {
    Object loaded = YamlFile.read(FLAG, file);
    if (loaded == null) {
      return Map.of();
    }
    if (loaded instanceof Map<?, ?> members) {
      return members;
    }
    throw new InvalidFlagException(
        FLAG + " " + file + " is not a map of flags: write lines like 'mode: beside'");
  }

  private boolean isGiven(String name) {
    return arguments.stream().anyMatch(arg -> arg.equals(name) || arg.startsWith(name + "="));
  }

  private UsageException unknown(String key) {
    TreeSet<String> names = new TreeSet<>();
    run.getCommandSpec()
        .optionsMap()
        .forEach((name, option) -> {
          if (name.startsWith("--") && !name.equals(FLAG) && !option.usageHelp()) {
            names.add(name.substring(2));
          }
        });
    String remedy =
        key.startsWith("-")
            ? ": omit the dashes in the file"
            : NameSuggestion.to(key, names)
                .map(near -> ": did you mean \"" + near + "\"?")
                .orElse("");
    return new InvalidFlagException(FLAG + " " + file + ": unknown flag \"" + key + "\"" + remedy);
  }

  private void add(List<String> flags, String key, OptionSpec option, @Nullable Object value)
      throws UsageException {
    if (value instanceof List<?> list && option.isMultiValue()) {
      for (Object element : list) {
        flags.add("--" + key + "=" + scalar(key, option, element));
      }
    } else if (option.arity().max() == 0) {
      if (!(value instanceof Boolean isOn)) {
        throw new InvalidFlagException(
            FLAG + " " + file + ": \"" + key + "\" must be true or false");
      }
      if (isOn) {
        flags.add("--" + key);
      }
    } else {
      flags.add("--" + key + "=" + scalar(key, option, value));
    }
  }

  private String scalar(String key, OptionSpec option, @Nullable Object value)
      throws UsageException {
    if (value == null || value instanceof Map<?, ?> || value instanceof List<?>) {
      String form = option.isMultiValue() ? "takes a list of texts" : "takes a single value";
      throw new InvalidFlagException(
          "%s %s: \"%s\" %s".formatted(FLAG, file, key, value == null ? "has no value" : form));
    }
    return value.toString();
  }
}
