package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.SystemTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingTextTest {
  private static final long NOW = 1_000;
  private static final TextLayout LAYOUT = TextLayout.plain(NOW);
  private static final Cause MISSING =
      new Cause(
          "ClassMissing", CauseRank.MISCONFIGURED, "the class is missing", "create the class");

  private static Explanation claim(String name, String message) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, ObjectKey.of("shop", name)),
        "Pending",
        NOW - 60,
        MISSING,
        message,
        NextStep.person(MISSING.remedy()),
        Evidence.NONE,
        List.of());
  }

  private static ExplainAnswer answer(List<Explanation> explanations) {
    return new ExplainAnswer(explanations, 40, null, List.of());
  }

  @Test
  void causes_claimsOfOneMissingClass_areOneGroup() {
    List<Explanation> claims =
        new ArrayList<>(
            IntStream.range(0, 27)
                .mapToObj(i -> claim("c" + i, "class \"typo\" not found"))
                .toList());
    claims.add(claim("other", "class \"gold\" not found"));
    assertThat(WaitingText.ofCauses(answer(claims), LAYOUT))
        .isEqualTo(
            """
            28 of 40 objects are waiting, for 2 causes:

            27 claims: ClassMissing, the oldest for 60s
              Cause   class "typo" not found
              To do   create the class
                        kubectl get storageclasses
              Objects pvc/c0, pvc/c1, pvc/c2, pvc/c3, pvc/c4 and 22 more in namespace shop

            pvc/other in namespace shop: Pending for 60s: ClassMissing
              Cause   class "gold" not found
              To do   create the class
                        kubectl get storageclasses\
            """);
  }

  @Test
  void causes_differentMessages_areListedUnderMeaning() {
    assertThat(
            WaitingText.ofCauses(
                answer(List.of(claim("a", "no gold"), claim("b", "no silver"))), LAYOUT))
        .contains(
            "2 claims: ClassMissing",
            "  Cause   the class is missing",
            "  Objects pvc/a in namespace shop: no gold",
            "          pvc/b in namespace shop: no silver");
  }

  @Test
  void flat_equalCauses_areListedOneByOne() {
    assertThat(
            WaitingText.ofObjects(
                answer(List.of(claim("a", "no gold"), claim("b", "no gold"))),
                WaitingText.Page.ALL,
                LAYOUT))
        .contains("pvc/a in namespace shop: Pending for 60s: ClassMissing", "pvc/b in namespace");
  }

  @Test
  void names_waitingObjects_areArgumentsOfExplain() {
    assertThat(WaitingText.ofNames(answer(List.of(claim("a", "x"), claim("a", "y")))))
        .isEqualTo("pvc/a -n shop");
  }

  @Test
  void causes_podsThatWaitForClaim_areBeneathIt() {
    Explanation waiting = claim("a", "no gold");
    Explanation withPod =
        waiting.withEvidence(
            Evidence.NONE.withFacts(
                List.of(new NamedFact(NamedFact.WAITING_PODS, "web-0", "not scheduled"))));
    assertThat(WaitingText.ofCauses(answer(List.of(withPod)), LAYOUT))
        .endsWith("  Pods    pod/web-0");
  }

  @Test
  void chain_ofClaim_showsDeepestCauseAndItsRemedy() {
    Explanation storageClass =
        new Explanation(
            new SubjectRef(Kind.STORAGE_CLASS, ObjectKey.cluster("fast")),
            "Class",
            0,
            new Cause("ProvisionerNotSeen", CauseRank.WAITING, "nothing runs", "install it"),
            "provisioner p provisions its volumes",
            NextStep.person("install it"),
            Evidence.NONE.withFacts(List.of(new NamedFact(NamedFact.HINT, "provisioner", "q"))),
            List.of());
    Explanation waiting = claim("a", "no gold");
    assertThat(
            ExplanationText.of(
                List.of(waiting.withEvidence(Evidence.NONE.withBecause(List.of(storageClass)))),
                LAYOUT))
        .isEqualTo(
            """
            pvc/a in namespace shop: Pending for 60s: ClassMissing

            Cause   no gold
            <-      class/fast: ProvisionerNotSeen: nothing runs
            Hint    did you mean provisioner "q"?
            To do   install it
                      kubectl get csidrivers,csinodes\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pod/web-0 | pod/web-0 in namespace shop waits for:
          pvc/a     | pvc/a in namespace shop: Pending for 60s: ClassMissing
          """)
  void answer_ofRequestedObject_beginsWithIt(String object, String firstLine)
      throws NotAnsweredException {
    ExplainAnswer answer =
        new ExplainAnswer(
            List.of(claim("a", "no gold")),
            1,
            ExplainedObject.of(List.of(object), "shop"),
            List.of());
    assertThat(ExplanationText.of(answer, LAYOUT)).startsWith(firstLine + "\n\n");
  }

  private static Candidate volume(String name, String... failedTests) {
    List<Candidate.Check> checks = new ArrayList<>();
    checks.add(new Candidate.Check("phase", true, ""));
    for (String test : failedTests) {
      checks.add(new Candidate.Check(test, false, "fails " + test));
    }
    return new Candidate(name, "1Gi", checks);
  }

  private static Explanation withVolumes(List<Candidate> volumes) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, ObjectKey.of("shop", "a")),
        "Pending",
        NOW - 60,
        new Cause("NoVolume", CauseRank.WAITING, "no volume suits", "create a volume"),
        "no volume",
        NextStep.person("create a volume"),
        Evidence.of(volumes, volume -> volume),
        List.of());
  }

  @Test
  void candidates_thatFailEqualTests_areOneLine() {
    List<Candidate> volumes = new ArrayList<>(List.of(volume("near", "size")));
    IntStream.range(0, 40).forEach(i -> volumes.add(volume("v" + i, "accessModes")));
    Explanation e = withVolumes(volumes);
    assertThat(ExplanationText.of(List.of(e), LAYOUT))
        .contains(
            "Volumes near fails size",
            "        40 volumes fail only accessModes, for example v0: fails accessModes");
    assertThat(ExplanationText.of(List.of(e), new TextLayout(true, false, NOW)))
        .contains("  v39 (1Gi)", "    no  accessModes     fails accessModes", "    ok  phase");
  }

  @Test
  void events_thatRepeatTheCause_areOmitted() {
    Explanation e =
        claim("a", "no gold")
            .withEvidence(
                Evidence.NONE.withEvents(
                    List.of(
                        new ReportedEvent("F", "no gold; nearest: b [ClassMissing]", true, 990),
                        new ReportedEvent("Other", "a quota is full", true, 980),
                        new ReportedEvent("Other", "a quota is full", true, 970))));
    assertThat(ExplanationText.of(List.of(e), LAYOUT))
        .containsOnlyOnce("Event   Other, 20s ago: a quota is full")
        .doesNotContain("nearest");
  }

  @Test
  void changes_betweenAnswers_haveTimeAndOnlyWhatChanged() {
    ExplainAnswer earlier = answer(List.of(claim("a", "no gold"), claim("b", "no gold")));
    ExplainAnswer later = answer(List.of(claim("b", "no silver")));
    List<String> changes = WaitChanges.between(earlier, later, Instant.ofEpochSecond(NOW));
    assertThat(changes).hasSize(2);
    assertThat(changes.getFirst())
        .matches("(?s)\\d\\d:\\d\\d:\\d\\d pvc/b in namespace shop: .*no silver.*");
    assertThat(changes.getLast()).endsWith("pvc/a in namespace shop: no longer waits");
    assertThat(WaitChanges.between(later, later, Instant.ofEpochSecond(NOW))).isEmpty();
  }

  @Test
  void commands_hostileName_areOmitted() {
    Explanation e =
        new Explanation(
            new SubjectRef(Kind.ATTACHMENT, ObjectKey.cluster("a; rm -rf b")),
            "Attaching",
            0,
            new Cause("AttachFailed", CauseRank.FAILING, "it failed", ""),
            "",
            NextStep.NOTHING,
            Evidence.NONE,
            List.of());
    assertThat(RemedyCommands.of(e)).isEmpty();
  }

  @Test
  void selfContained_anyReason_isInCatalogue() {
    assertThat(ReasonCatalogue.allCauses(new SystemTime()).stream().map(Cause::code))
        .containsAll(CauseSentence.SELF_CONTAINED);
  }
}
