package dev.mooring.manager.command;

import dev.mooring.explain.SubjectRef;
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

@Command(
    name = "timeline",
    description =
        "Prints decisions and actions on a volume, its claim and its attachments, in order, from the log of 'mooring run --audit-log'. Begins with a summary. Contacts no cluster. Exit code 0: the log has entries about the object; 1: it has none.",
    mixinStandardHelpOptions = true)
public final class TimelineCommand implements Callable<Integer> {
  enum Output {
    text,
    json
  }

  @Parameters(
      arity = "1..2",
      paramLabel = "KIND/NAME",
      description = "Object: pvc/NAME or pv/NAME.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the claim. Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      required = true,
      description = "Audit log. Rotated files (FILE.1, FILE.2 ...) are read too.")
  private String log = "";

  @Option(
      names = {"-o", "--output"},
      description =
          "Output format: ${COMPLETION-CANDIDATES}. json prints the lines of the log unchanged. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show written fields, versions and durations.")
  private boolean fields;

  public TimelineCommand() {}

  @Override
  public Integer call() throws UsageException, NotAnsweredException, IOException {
    ExplainedObject requested = ExplainedObject.of(object, namespace);
    if (!requested.kind().equals(Kind.CLAIM) && !requested.kind().equals(Kind.VOLUME)) {
      throw new InvalidFlagException(
          "no timelines exist for kind " + requested.kind() + ": specify pvc/NAME or pv/NAME");
    }
    Timeline timeline = Timeline.read(files(log), requested.kind(), requested.key());
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    switch (output) {
      case text ->
          out.println(
              TimelineText.of(new SubjectRef(requested.kind(), requested.key()), timeline, fields));
      case json -> timeline.lines().stream().map(AuditLine::json).forEach(out::println);
    }
    return timeline.lines().isEmpty() ? 1 : 0;
  }

  static AuditFiles files(String name) throws UsageException {
    try {
      return new AuditFiles(Path.of(name));
    } catch (InvalidPathException e) {
      throw new InvalidFlagException(
          "--audit-log " + name + " is not a valid file name: " + e.getReason());
    }
  }
}
