package dev.mooring.console;

import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;

/** Sample objects and explanations. */
public final class SampleObjects {
  private SampleObjects() {}

  public static Meta meta(String namespace, String name, long version) {
    return meta(namespace, name, version, 1);
  }

  public static Meta meta(String namespace, String name, long version, long created) {
    return TestObjects.metaOf(new ObjectKey(namespace, name))
        .uid("uid-" + namespace + "-" + name)
        .version(version)
        .created(created)
        .meta();
  }

  public static Claim claim(String namespace, String name, long version, ClaimPhase phase) {
    return claim(meta(namespace, name, version), "", "", phase);
  }

  public static Claim claim(Meta meta, String storageClass, String volume, ClaimPhase phase) {
    return TestObjects.claim(meta)
        .storageClass(storageClass)
        .volumeName(volume)
        .status(new Claim.Status(phase, List.of(), Map.of(), ""))
        .build();
  }

  public static Explanation waiting(SubjectRef subject, String code, CauseRank rank, long since) {
    return new Explanation(
        subject,
        "Pending",
        since,
        new Cause(code, rank, "meaning of " + code, "remedy of " + code),
        "note",
        NextStep.person("something else"),
        Evidence.NONE,
        List.of());
  }

  /** Returns an explanation in which every string is the text. */
  public static Explanation withEveryString(String text, SubjectRef subject, CauseRank rank) {
    return new Explanation(
        subject,
        text,
        1,
        new Cause(text, rank, text, text),
        text + " ",
        new NextStep(StepActor.PROVISIONER, ExpectedAction.PROVISION, text, text + "  "),
        new Evidence(
            List.of(new Candidate(text, text, List.of(new Candidate.Check(text, false, text)))),
            List.of(new ObjectHolder(text, text, text)),
            List.of(text),
            List.of(new NamedFact(text, text, text)),
            List.of(new ReportedEvent(text, text, true, 1)),
            List.of()),
        List.of(new UnreadableKind(Kind.POD, text, text)));
  }
}
