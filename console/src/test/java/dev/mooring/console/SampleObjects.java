package dev.mooring.console;

import dev.mooring.explain.Action;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Holder;
import dev.mooring.explain.Measure;
import dev.mooring.explain.Next;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Said;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;

/** Sample objects and explanations. */
public final class SampleObjects {
  private SampleObjects() {}

  public static Meta meta(String namespace, String name, long version) {
    return meta(namespace, name, version, 1);
  }

  public static Meta meta(String namespace, String name, long version, long created) {
    return Builders.metaOf(new ObjectKey(namespace, name))
        .uid("uid-" + namespace + "-" + name)
        .version(version)
        .created(created)
        .meta();
  }

  public static Claim claim(String namespace, String name, long version, ClaimPhase phase) {
    return claim(meta(namespace, name, version), "", "", phase);
  }

  public static Claim claim(Meta meta, String storageClass, String volume, ClaimPhase phase) {
    return Builders.claim(meta)
        .storageClass(storageClass)
        .volumeName(volume)
        .status(new Claim.Status(phase, List.of(), Map.of(), ""))
        .build();
  }

  public static Explanation waiting(Subject subject, String code, Rank rank, long since) {
    return new Explanation(
        subject,
        "Pending",
        since,
        new Cause(code, rank, "meaning of " + code, "remedy of " + code),
        "note",
        Next.person("something else"),
        Evidence.NONE,
        List.of());
  }

  /** Returns an explanation in which every string is the text. */
  public static Explanation withEveryString(String text, Subject subject, Rank rank) {
    return new Explanation(
        subject,
        text,
        1,
        new Cause(text, rank, text, text),
        text + " ",
        new Next(Actor.PROVISIONER, Action.PROVISION, text, text + "  "),
        new Evidence(
            List.of(new Candidate(text, text, List.of(new Candidate.Check(text, false, text)))),
            List.of(new Holder(text, text, text)),
            List.of(text),
            List.of(new Measure(text, text, text)),
            List.of(new Said(text, text, true, 1))),
        List.of(new Unseen(Kind.POD, text, text)));
  }
}
