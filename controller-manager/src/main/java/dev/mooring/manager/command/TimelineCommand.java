package dev.mooring.manager.command;

import dev.mooring.explain.Subject;
import dev.mooring.manager.audit.AuditFiles;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.audit.Timeline;
import dev.mooring.manager.explain.ExplainedObject;
import dev.mooring.manager.explain.NotAnsweredException;
import dev.mooring.manager.explain.TimelineText;
import dev.mooring.model.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what was done about one volume. */
@Command(
    name = "timeline",
    description =
        "Says what was decided and done about a volume, its claim and its attachments, in order, from the log that 'mooring run --audit-log' writes. Asks no cluster.",
    mixinStandardHelpOptions = true)
public final class TimelineCommand implements Callable<Integer> {
  /** The forms of an answer. */
  enum Output {
    text,
    json
  }

  @Parameters(
      arity = "1..2",
      paramLabel = "KIND/NAME",
      description = "Of what: pvc/NAME or pv/NAME.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "The claim's namespace. Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      required = true,
      description = "The log. What was rotated away, FILE.1 and so on, is read too.")
  private String log = "";

  @Option(
      names = {"-o", "--output"},
      description =
          "${COMPLETION-CANDIDATES}; json are the lines as they stand in the log. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  /** For picocli. */
  public TimelineCommand() {}

  @Override
  public Integer call() throws UsageException, NotAnsweredException, IOException {
    ExplainedObject asked = ExplainedObject.of(object, namespace);
    if (!asked.kind().equals(Kind.CLAIM) && !asked.kind().equals(Kind.VOLUME)) {
      throw new WrongFlagException(
          "there is no timeline of a " + asked.kind() + ": name pvc/NAME or pv/NAME");
    }
    Timeline timeline = Timeline.read(files(log), asked.kind(), asked.key());
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    switch (output) {
      case text -> out.println(TimelineText.of(new Subject(asked.kind(), asked.key()), timeline));
      case json -> timeline.lines().stream().map(AuditLine::json).forEach(out::println);
    }
    return 0;
  }

  /** The log of that name. */
  static AuditFiles files(String name) throws UsageException {
    try {
      return new AuditFiles(Path.of(name));
    } catch (InvalidPathException e) {
      throw new WrongFlagException(
          "--audit-log " + name + " is no name of a file: " + e.getReason());
    }
  }
}
