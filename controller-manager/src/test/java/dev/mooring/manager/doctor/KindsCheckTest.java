package dev.mooring.manager.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRules;
import dev.mooring.manager.doctor.CheckFinding.Outcome;
import dev.mooring.model.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class KindsCheckTest {
  private static final List<RbacRule> RIGHTS =
      RbacRules.forPurpose("all controllers")
          .mayCache(Kind.CLAIM)
          .andForPurpose("attaching volumes")
          .mayCache(Kind.NODE)
          .may(Kind.SECRET, RbacRule.Verb.LIST)
          .andForPurpose("protecting classes")
          .mayCache(Kind.ATTRIBUTES_CLASS)
          .list();

  private static List<CheckFinding> results(List<RbacRule> missing, String unserved)
      throws InterruptedException {
    return new KindsCheck(RIGHTS, missing).results(target -> !target.resource().equals(unserved));
  }

  private static List<RbacRule> rightsTo(String resource) {
    return RIGHTS.stream().filter(right -> right.target().resource().equals(resource)).toList();
  }

  @Test
  void results_everyKindListed_areOk() throws InterruptedException {
    assertThat(results(List.of(), ""))
        .containsExactly(CheckFinding.ok("kinds", "the API server serves the 3 cached kinds"));
  }

  @Test
  void results_kindNotServed_nameDisabledPart() throws InterruptedException {
    assertThat(results(List.of(), "volumeattributesclasses"))
        .containsExactly(
            CheckFinding.ok(
                "kinds",
                "the API server does not serve volumeattributesclasses.storage.k8s.io; off: protecting classes"));
  }

  @Test
  void results_rightMissing_warnOnce() throws InterruptedException {
    List<CheckFinding> findings = results(rightsTo("nodes"), "");
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().outcome()).isEqualTo(Outcome.WARN);
    assertThat(findings.getFirst().text())
        .isEqualTo("without the right to list and watch nodes; off: attaching volumes");
  }

  // The right to list Secrets is no cache: no part is off without it.
  @Test
  void results_rightOfUncachedKindMissing_areOk() throws InterruptedException {
    assertThat(results(rightsTo("secrets"), "secrets")).hasSize(1);
    assertThat(results(rightsTo("secrets"), "secrets").getFirst().outcome()).isEqualTo(Outcome.OK);
  }
}
