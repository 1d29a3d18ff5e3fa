package dev.mooring.manager.command;

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
  private final List<String> given;

  private ConfigFile(CommandLine command, CommandLine run, String file, List<String> given) {
    this.command = command;
    this.run = run;
    this.file = file;
    this.given = given;
  }

  public static String[] expanded(CommandLine line, String[] args) throws UsageException {
    CommandLine command = args.length == 0 ? null : line.getSubcommands().get(args[0]);
    if (command == null || command.getCommandSpec().findOption(FLAG) == null) {
      return args;
    }
    List<String> given = Arrays.asList(args).subList(1, args.length);
    Optional<String> file = file(given);
    if (file.isEmpty()) {
      return args;
    }
    CommandLine run =
        line.getSubcommands().containsKey(RUN)
            ? line.getSubcommands().get(RUN)
            : new CommandLine(new RunCommand());
    List<String> all = new ArrayList<>(List.of(args[0]));
    all.addAll(new ConfigFile(command, run, file.get(), given).flags());
    all.addAll(given);
    return all.toArray(String[]::new);
  }

  // Returns the last file, because the last occurrence of a flag counts.
  private static Optional<String> file(List<String> given) {
    Optional<String> file = Optional.empty();
    for (int i = 0; i < given.size(); i++) {
      if (given.get(i).startsWith(FLAG + "=")) {
        file = Optional.of(given.get(i).substring(FLAG.length() + 1));
      } else if (given.get(i).equals(FLAG) && i + 1 < given.size()) {
        file = Optional.of(given.get(i + 1));
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
    Object loaded = YamlFile.read(FLAG, file, YamlFile.Repeats.REFUSED);
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
    return given.stream().anyMatch(arg -> arg.equals(name) || arg.startsWith(name + "="));
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
      for (Object one : list) {
        flags.add("--" + key + "=" + scalar(key, one));
      }
    } else if (option.arity().max() == 0) {
      if (!(value instanceof Boolean on)) {
        throw new InvalidFlagException(
            FLAG + " " + file + ": \"" + key + "\" must be true or false");
      }
      if (on) {
        flags.add("--" + key);
      }
    } else {
      flags.add("--" + key + "=" + scalar(key, value));
    }
  }

  private String scalar(String key, @Nullable Object value) throws UsageException {
    if (value == null || value instanceof Map<?, ?> || value instanceof List<?>) {
      throw new InvalidFlagException(
          FLAG
              + " "
              + file
              + ": \""
              + key
              + "\" "
              + (value == null ? "has no value" : "takes a single value"));
    }
    return value.toString();
  }
}
