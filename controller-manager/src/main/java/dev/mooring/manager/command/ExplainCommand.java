package dev.mooring.manager.command;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.audit.Timeline;
import dev.mooring.manager.explain.ClusterSight;
import dev.mooring.manager.explain.Explainers;
import dev.mooring.manager.explain.ExplanationText;
import dev.mooring.manager.explain.ExplanationTree;
import dev.mooring.manager.explain.LastSaid;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.manager.explain.TimelineText;
import dev.mooring.manager.explain.WhateverWaits;
import dev.mooring.manager.telemetry.Logs;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why something waits. */
@Command(
    name = "explain",
    description =
        "Says why a claim, a volume, a pod, a class, an attachment or a node waits, what happens next and who does it, and which tests every volume passed or failed for it. Looks at any cluster, and writes nothing. Exit code 0: nothing waits; 3: something does.",
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  private static final int WAITS = 3;
  private static final int LINES = 10;
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  /** The forms of an answer. */
  enum Output {
    text,
    json,
    yaml
  }

  @Parameters(
      arity = "0..2",
      paramLabel = "KIND/NAME",
      description =
          "What to explain: pvc/NAME, pv/NAME, pod/NAME, class/NAME, volumeattachment/NAME or node/NAME. Without it: whatever waits in the namespace.")
  private List<String> object = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "The namespace. Default: that of the kubeconfig's context, else default.")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all", "--all-namespaces"},
      description = "Whatever waits, in all namespaces.")
  private boolean all;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Look again every 2 seconds, tell what has changed, and end when nothing waits.")
  private boolean watch;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Of a claim or a volume, tell too what was done last: from the log that 'mooring run --audit-log' writes.")
  private @Nullable String audit;

  @Mixin private final LookOptions look = new LookOptions();
  private final SystemTime time = new SystemTime();

  /** For picocli. */
  public ExplainCommand() {}

  @Override
  public Integer call() throws UsageException, InterruptedException {
    Logs.configure(false, false, true);
    KubeConnection connection = look.connect();
    KubeCluster reader = KubeCluster.alone(connection, time);
    try (connection;
        LazyPlugins lazy = look.plugins()) {
      ClusterSight.Source source = new ClusterSight.Source(connection, reader, lazy);
      String where = namespace == null ? connection.namespace() : namespace;
      return object.isEmpty()
          ? until(() -> everything(source, all ? "" : where))
          : one(source, where, new KubeEvents(reader));
    }
  }

  /**
   * An answer.
   *
   * @param explanations what was said
   * @param objects of how many objects
   * @param asked whose, if it is of one
   * @param unseen what could not be read of the cluster
   */
  private record Answer(
      List<Explanation> explanations,
      int objects,
      @Nullable ExplainedObject asked,
      List<Unseen> unseen) {
    int code() {
      return explanations.stream().anyMatch(Explanation::waits) ? WAITS : 0;
    }
  }

  /** Looks at the cluster once. */
  @FunctionalInterface
  private interface Look {
    Answer at() throws UsageException, InterruptedException;
  }

  /** Prints the answer, and, while it is watched, each one that is another, until nothing waits. */
  private int until(Look look) throws UsageException, InterruptedException {
    Answer told = look.at();
    print(told);
    while (watch && told.code() == WAITS) {
      time.sleep(BETWEEN_LOOKS);
      Answer now = look.at();
      if (!now.equals(told)) {
        told = now;
        print(told);
      }
    }
    return told.code();
  }

  private int one(ClusterSight.Source source, String where, EventReader events)
      throws UsageException, InterruptedException {
    if (all) {
      throw new UsageException(
          "-A explains whatever waits, and " + object.getFirst() + " is one object: leave out one");
    }
    ExplainedObject asked = ExplainedObject.of(object, where);
    return until(() -> one(source, asked, events));
  }

  private Answer one(ClusterSight.Source source, ExplainedObject asked, EventReader events)
      throws UsageException, InterruptedException {
    Resource found = read(source.reader(), asked.kind(), asked.key());
    ClusterSight sight =
        ClusterSight.read(
            source, asked.key().namespace(), Explainers.reads(List.of(asked.kind())), found);
    List<Explanation> explanations =
        new Explainers(sight, look.likeKubernetes(), time)
            .explain(asked.kind(), asked.key(), Detail.EVIDENCE);
    if (explanations.isEmpty()) {
      throw new UsageException(
          asked.kind() + " " + asked.key() + " went while it was looked at: ask again");
    }
    return new Answer(
        TimelineText.added(LastSaid.added(explanations, found, events), found.key(), done(asked)),
        1,
        asked,
        List.of());
  }

  private List<AuditLine> done(ExplainedObject asked) throws UsageException {
    if (audit == null) {
      return List.of();
    }
    try {
      return Timeline.read(TimelineCommand.files(audit), asked.kind(), asked.key())
          .last(LINES)
          .lines();
    } catch (IOException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static <T extends Resource> T read(LiveReader reader, Kind<T> kind, ObjectKey key)
      throws UsageException, InterruptedException {
    return switch (reader.read(kind, key)) {
      case ReadResult.Found<T>(T found) -> found;
      case ReadResult.Absent<T> _ ->
          throw new UsageException(
              "there is no "
                  + kind
                  + " \""
                  + key.name()
                  + "\""
                  + (key.namespace().isEmpty()
                      ? ""
                      : " in namespace \"" + key.namespace() + "\" (-n names another)"));
      case ReadResult.Failed<T>(String why) ->
          throw new UsageException("cannot read " + kind + " " + key + ": " + why);
    };
  }

  private Answer everything(ClusterSight.Source source, String where)
      throws UsageException, InterruptedException {
    List<Kind<?>> kinds = where.isEmpty() ? Explainers.KINDS : Explainers.NAMESPACED;
    ClusterSight sight = ClusterSight.read(source, where, Explainers.reads(kinds), null);
    WhateverWaits waits =
        new WhateverWaits(sight, new Explainers(sight, look.likeKubernetes(), time), where);
    for (Kind<?> kind : kinds) {
      String why = sight.unseen(kind).orElse("");
      if (Explainers.MAIN.contains(kind) && !why.isEmpty()) {
        throw new UsageException(
            "cannot list "
                + kind.plural()
                + (where.isEmpty() ? " in all namespaces" : " in namespace " + where)
                + ": "
                + why);
      }
      waits.look(kind);
    }
    return new Answer(waits.explanations(), waits.objects(), null, waits.unseen());
  }

  private void print(Answer answer) {
    long now = time.now().getEpochSecond();
    ExplainedObject asked = answer.asked();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(
        switch (output) {
          case text ->
              asked == null
                  ? ExplanationText.ofAll(
                      answer.explanations(), answer.objects(), answer.unseen(), now)
                  : ExplanationText.of(
                      new Subject(asked.kind(), asked.key()), answer.explanations(), now);
          case json -> ExplanationTree.json(answer.explanations(), answer.unseen());
          case yaml -> ExplanationTree.yaml(answer.explanations(), answer.unseen());
        });
  }
}
