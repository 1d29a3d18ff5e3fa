package dev.mooring.manager;

import dev.mooring.manager.command.AotTraining;
import dev.mooring.manager.command.ApiServerCommand;
import dev.mooring.manager.command.CompletionCommand;
import dev.mooring.manager.command.ConfigFile;
import dev.mooring.manager.command.ConsoleCommand;
import dev.mooring.manager.command.DangerCommand;
import dev.mooring.manager.command.DemoCommand;
import dev.mooring.manager.command.DevCommand;
import dev.mooring.manager.command.DoctorCommand;
import dev.mooring.manager.command.ExplainCommand;
import dev.mooring.manager.command.FlagSections;
import dev.mooring.manager.command.FlagTypes;
import dev.mooring.manager.command.GrowCommand;
import dev.mooring.manager.command.HealthCommand;
import dev.mooring.manager.command.MigrateCommand;
import dev.mooring.manager.command.PlainOutput;
import dev.mooring.manager.command.PluginsCommand;
import dev.mooring.manager.command.ResumeCommand;
import dev.mooring.manager.command.RightsCommand;
import dev.mooring.manager.command.RunCommand;
import dev.mooring.manager.command.ShadowCommand;
import dev.mooring.manager.command.SimulateCommand;
import dev.mooring.manager.command.SnapshotCommand;
import dev.mooring.manager.command.TimelineCommand;
import dev.mooring.manager.command.UndoCommand;
import dev.mooring.manager.command.UninstallCommand;
import dev.mooring.manager.command.UsageException;
import dev.mooring.manager.command.VersionCommand;
import dev.mooring.manager.explain.NotAnsweredException;
import dev.mooring.manager.help.HelpLayout;
import dev.mooring.manager.help.HelpLayout.ListedCommand;
import dev.mooring.manager.help.ManualPages;
import dev.mooring.text.FileProblem;
import dev.mooring.text.NameSuggestion;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
    name = "mooring",
    description = "Kubernetes' volume controllers on the JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Run 'mooring COMMAND --help' for the flags of a command."})
public final class Main implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          RunCommand.class,
          DemoCommand.class,
          DevCommand.class,
          ApiServerCommand.class,
          PluginsCommand.class,
          ExplainCommand.class,
          ConsoleCommand.class,
          TimelineCommand.class,
          DoctorCommand.class,
          SimulateCommand.class,
          SnapshotCommand.class,
          DangerCommand.class,
          ShadowCommand.class,
          RightsCommand.class,
          HealthCommand.class,
          ResumeCommand.class,
          GrowCommand.class,
          UndoCommand.class,
          MigrateCommand.class,
          UninstallCommand.class,
          CompletionCommand.class,
          VersionCommand.class,
          CommandLine.HelpCommand.class);

  private static final Set<Class<?>> NEED_ALL =
      Set.of(CommandLine.HelpCommand.class, CompletionCommand.class);

  @CommandLine.Spec private CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

  private Main() {}

  @Override
  public void run() {
    if (spec != null) {
      throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
    }
  }

  /** Runs a command. Exit code 0: success; 2: usage error; 1: other error. */
  public static void main(String[] args) {
    if (AotTraining.isOn()) {
      execute("run", "--embedded", "--endpoints=127.0.0.1:0");
    }
    System.exit(execute(args));
  }

  public static int execute(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setOut(PlainOutput.over(out));
    System.setErr(PlainOutput.over(err));
    try {
      int code = execute(new PrintWriter(out, true), args);
      return out.checkError() ? reportIncompleteOutput(code) : code;
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  // A print stream hides write errors.
  private static int reportIncompleteOutput(int code) {
    System.err.println(
        "mooring: standard output is incomplete: its disk is full, or its reader has ended");
    return code == 0 ? 1 : code;
  }

  /** Returns the command line with all commands. */
  public static CommandLine commandLine() {
    return commandLine(COMMANDS);
  }

  /**
   * Returns the manual pages of all commands by file name.
   *
   * @param version version in the pages
   */
  public static Map<String, String> manualPages(String version) {
    return new ManualPages(version, new FlagSections()).of(commandLine());
  }

  private static Map<String, List<ListedCommand>> groups() {
    Map<String, List<ListedCommand>> groups = new LinkedHashMap<>();
    groups.put(
        "Inspect",
        commandsOf(
            "explain",
            "console",
            "timeline",
            "doctor",
            "simulate",
            "snapshot",
            "danger",
            "shadow"));
    groups.put(
        "Run",
        commandsOf("run", "rights", "health", "plugins", "resume-deletions", "grow", "undo"));
    groups.put("Migrate", commandsOf("migrate", "uninstall"));
    List<ListedCommand> trial = new ArrayList<>(commandsOf("demo", "dev", "apiserver"));
    trial.add(new ListedCommand("bench", "Runs benchmarks. Needs a checkout of the sources."));
    trial.add(new ListedCommand("test", "Builds everything and runs all tests. Needs a checkout."));
    trial.add(
        new ListedCommand("dist", "Builds archives and a container image. Needs a checkout."));
    groups.put("Try", trial);
    groups.put("Other", commandsOf("completion", "version", "help"));
    return groups;
  }

  private static List<ListedCommand> commandsOf(String... names) {
    return Arrays.stream(names).map(name -> new ListedCommand(name, "")).toList();
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandLine line = new CommandLine(new Main());
    line.setCommandName(System.getProperty("mooring.command", "mooring"));
    commands.forEach(line::addSubcommand);
    FlagTypes.register(line);
    CommandLine help = line.getSubcommands().get("help");
    if (help != null) {
      help.getCommandSpec().usageMessage().description("Prints the help of a command.");
    }
    new HelpLayout(groups(), new FlagSections()).applyTo(line);
    return line;
  }

  private static int execute(PrintWriter output, String... args) {
    CommandLine line = commandLine(commands(args));
    line.setOut(output);
    line.setAbbreviatedOptionsAllowed(false);
    line.setOverwrittenOptionsAllowed(
        true); // the last occurrence counts, as with Kubernetes' flags
    line.setExecutionExceptionHandler((e, command, parsed) -> {
      Exception failure = e instanceof UncheckedIOException unchecked ? unchecked.getCause() : e;
      if (failure instanceof UsageException
          || failure instanceof NotAnsweredException
          || failure instanceof IOException) {
        String problem =
            failure instanceof IOException ? FileProblem.describe(failure) : failure.getMessage();
        command.getErr().println("mooring: " + problem);
        return failure instanceof UsageException usage ? usage.exitCode() : 1;
      }
      throw e;
    });
    line.setParameterExceptionHandler((e, rest) -> {
      CommandLine command = e.getCommandLine();
      command.getErr().println("mooring: " + describe(e));
      if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
        command.getErr().println(suggestRemedy(e));
      }
      return 2;
    });
    try {
      return line.execute(ConfigFile.expandArguments(line, args));
    } catch (UsageException e) {
      line.getErr().println("mooring: " + e.getMessage());
      return e.exitCode();
    }
  }

  /**
   * Loads only the requested command, because reading a command's options takes time. The recording
   * of the AOT cache loads all, so that the cache contains their classes.
   */
  private static List<Class<?>> commands(String[] args) {
    if (AotTraining.isOn()) {
      return COMMANDS;
    }
    return COMMANDS.stream()
        .filter(c -> args.length > 0 && !NEED_ALL.contains(c) && name(c).equals(args[0]))
        .findFirst()
        .<List<Class<?>>>map(List::of)
        .orElse(COMMANDS);
  }

  private static String name(Class<?> command) {
    return Objects.requireNonNull(command.getAnnotation(Command.class)).name();
  }

  private static String describe(CommandLine.ParameterException e) {
    return e instanceof CommandLine.UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption()
            && !e.getCommandLine().getSubcommands().isEmpty()
            && !unmatched.getUnmatched().isEmpty()
        ? "unknown command '" + unmatched.getUnmatched().getFirst() + "'"
        : String.valueOf(e.getMessage());
  }

  private static String suggestRemedy(CommandLine.ParameterException e) {
    CommandLine command = e.getCommandLine();
    Optional<String> suggestion =
        e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()
            ? NameSuggestion.to(
                unmatched.getUnmatched().getFirst(), command.getSubcommands().keySet())
            : Optional.empty();
    return suggestion
        .map(name -> "Did you mean '" + name + "'?")
        .orElse("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
  }
}
