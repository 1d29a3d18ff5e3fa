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
 * Flags that stand in a file: YAML, the flags' names without dashes, lists for flags that may be
 * given several times. A flag on the command line replaces that of the file.
 */
public final class ConfigFile {
  /** The flag that names the file. */
  static final String FLAG = "--config";

  /** It may be shared with a run, whose flags are not all flags of the others. */
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

  /**
   * The same arguments, with the flags of the file that they name, if they name one.
   *
   * @param line all commands
   * @throws UsageException if the file cannot be read, or has what is no flag; the message says
   *     what is wrong and names the nearest flag
   */
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

  /** The last one counts, as with all flags. */
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
    throw new WrongFlagException(
        FLAG + " " + file + " is no list of flags: write lines like 'mode: beside'");
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
            ? ": names stand there without dashes"
            : Nearest.to(key, names).map(near -> ": did you mean \"" + near + "\"?").orElse("");
    return new WrongFlagException(
        FLAG + " " + file + ": there is no flag \"" + key + "\"" + remedy);
  }

  private void add(List<String> flags, String key, OptionSpec option, @Nullable Object value)
      throws UsageException {
    if (value instanceof List<?> list && option.isMultiValue()) {
      for (Object one : list) {
        flags.add("--" + key + "=" + scalar(key, one));
      }
    } else if (option.arity().max() == 0) {
      if (!(value instanceof Boolean on)) {
        throw new WrongFlagException(FLAG + " " + file + ": \"" + key + "\" is true or false");
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
      throw new WrongFlagException(
          FLAG
              + " "
              + file
              + ": \""
              + key
              + "\" "
              + (value == null ? "has no value" : "has one value, as on the command line"));
    }
    return value.toString();
  }
}
