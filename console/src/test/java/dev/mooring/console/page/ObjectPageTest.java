package dev.mooring.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.SampleObjects;
import dev.mooring.console.TestConsole;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.console.view.StorageExtension.Condition;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.ReportedEvent;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectPageTest {
  private static final SubjectRef DATA = new SubjectRef(Kind.CLAIM, ObjectKey.of("shop", "data"));
  private static final SubjectRef GOLD =
      new SubjectRef(Kind.STORAGE_CLASS, ObjectKey.cluster("gold"));
  private static final String PATH = "claims/shop/data";

  private final TestConsole console = new TestConsole();

  @AfterEach
  void stop() {
    console.close();
  }

  private void putClaim(Evidence evidence) {
    Explanation e = SampleObjects.waiting(DATA, "NoVolume", CauseRank.WAITING, 1000);
    console.cluster().explain(DATA, e.withEvidence(evidence));
    console
        .cluster()
        .put(
            Kind.CLAIM,
            SampleObjects.claim(
                SampleObjects.meta("shop", "data", 1, 1000), "gold", "", ClaimPhase.PENDING));
  }

  private void putClass() {
    console
        .cluster()
        .put(
            Kind.STORAGE_CLASS,
            TestObjects.storageClass(SampleObjects.meta("", "gold", 1))
                .provisioner("disk.csi")
                .build());
  }

  private void putDriver(Condition condition, String state, String detail) {
    console
        .cluster()
        .setExtensions(
            new StorageExtension(
                StorageExtension.ExtensionType.DRIVER,
                "disk.csi",
                "",
                "",
                List.of(),
                new StorageExtension.Health(condition, state, detail, 0, 0)));
  }

  @Test
  void chain_claimWaitsForClass_listsClaimClassAndProvisioner() {
    putClass();
    putClaim(
        Evidence.NONE.withBecause(
            List.of(SampleObjects.waiting(GOLD, "ProvisionerNotSeen", CauseRank.WAITING, 0))));
    console.start();
    String page = console.page(PATH);
    String chain = page.substring(page.indexOf("<ol class=\"because\""), page.indexOf("</ol>"));
    assertThat(chain.split("<li>", -1)).hasSize(4);
    assertThat(chain)
        .containsSubsequence("data", "gold", "ProvisionerNotSeen", "Provisioner ", "disk.csi");
  }

  @Test
  void chain_driverOfClassUnavailable_hasDriverWithProblem() {
    putClass();
    putDriver(Condition.FAILING, "unavailable", "connection refused");
    putClaim(Evidence.NONE);
    console.start();
    assertThat(console.text(PATH)).contains("Provisioner disk.csi unavailable connection refused");
  }

  @Test
  void chain_driverOfClassWorks_isAbsent() {
    putClass();
    putDriver(Condition.WORKING, "works", "");
    putClaim(Evidence.NONE);
    console.start();
    assertThat(console.page(PATH)).doesNotContain("class=\"because\"");
  }

  @Test
  void answer_remedyAndErrors_areShownOnce() {
    putClaim(Evidence.NONE.withErrors(List.of("the disk is full", "the disk is full")));
    console.start();
    String text = console.text(PATH);
    assertThat(text.split("the disk is full", -1)).hasSize(2);
    assertThat(text).contains("To do something else").doesNotContain("Next");
  }

  @Test
  void answer_waitingClaim_hasCommandsToCopy() {
    putClaim(Evidence.NONE);
    console.start();
    assertThat(console.page(PATH)).contains("<li><code>mooring explain data</code></li>");
    assertThat(console.json(PATH + ".json"))
        .containsEntry("commands", List.of("mooring explain data"));
  }

  private static Candidate candidate(String name, String failedTest) {
    return new Candidate(
        name,
        "1Gi",
        List.of(
            new Candidate.Check("size", !failedTest.equals("size"), "has 1Gi, not 2Gi"),
            new Candidate.Check("accessModes", !failedTest.equals("accessModes"), "offers RWX")));
  }

  @Test
  void candidates_fortyFailSameTest_areOneRow() {
    List<Candidate> candidates = new ArrayList<>(List.of(candidate("small", "size")));
    for (int i = 0; i < 40; i++) {
      candidates.add(candidate("archive-" + i, "accessModes"));
    }
    putClaim(Evidence.of(candidates, candidate -> candidate));
    console.start();
    String text = console.text(PATH);
    assertThat(text)
        .contains(
            "small size has 1Gi, not 2Gi",
            "archive-0 , archive-1 and 38 more accessModes offers RWX",
            "Every test of the 25 nearest");
    assertThat(console.page(PATH)).contains("<details id=\"tests-volumes\">");
  }

  @Test
  void chain_podWaitsForClaim_beginsWithPod() {
    SubjectRef web = new SubjectRef(Kind.POD, ObjectKey.of("shop", "web"));
    console
        .cluster()
        .explain(web, SampleObjects.waiting(DATA, "ClassMissing", CauseRank.MISCONFIGURED, 1));
    console
        .cluster()
        .put(
            Kind.POD,
            TestObjects.pod(SampleObjects.meta("shop", "web", 1)).claims(List.of("data")).build());
    console.start();
    String page = console.page("pods/shop/web");
    assertThat(page.substring(page.indexOf("<ol class=\"because\""), page.indexOf("</ol>")))
        .containsSubsequence("Pod ", "web", "Claim ", "href=\"/console/claims/shop/data\"");
    assertThat(console.text("pods/shop/web")).contains("Claim data : Pending for");
  }

  @Test
  void timeline_actionThatEmittedEvent_isNotRepeated() {
    putClaim(
        Evidence.NONE
            .withEvents(List.of(new ReportedEvent("FailedBinding", "no volume suits", true, 3000)))
            .withFacts(
                List.of(
                    new NamedFact(
                        NamedFact.DONE, "1970-01-01T00:33:20Z", "event: no volume suits"))));
    console.start();
    assertThat(console.text(PATH).split("no volume suits", -1)).hasSize(2);
  }

  @Test
  void timeline_eventsAndActions_areInOrder() {
    putClaim(
        Evidence.NONE
            .withEvents(List.of(new ReportedEvent("FailedBinding", "no volume suits", true, 3000)))
            .withFacts(
                List.of(
                    new NamedFact(NamedFact.DONE, "1970-01-01T00:33:20Z", "patched the claim"))));
    console.start();
    String page = console.page(PATH);
    assertThat(page.substring(page.indexOf("id=\"timeline\"")))
        .containsSubsequence(" was created", "patched the claim", "FailedBinding");
    assertThat(page).doesNotContain("Done last", "<h2>Events</h2>");
  }

  @Test
  void events_otherKind_haveOwnPanel() {
    putClass();
    console
        .cluster()
        .explain(
            GOLD,
            SampleObjects.waiting(GOLD, "ProvisionerNotSeen", CauseRank.WAITING, 0)
                .withEvidence(
                    Evidence.NONE.withEvents(
                        List.of(new ReportedEvent("Reason", "note", false, 3000)))));
    console.start();
    assertThat(console.page("classes/gold"))
        .contains("<h2>Events</h2>")
        .doesNotContain("id=\"timeline\"");
  }
}
