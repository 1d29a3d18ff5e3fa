package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.SnapshotContent;
import dev.mooring.testkit.TestObjects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContentScopeTest {
  private static SnapshotContent contentOf(String node) {
    return TestObjects.snapshotContent("c").label(SnapshotContent.MANAGED_BY, node).build();
  }

  @Test
  void includes_instanceOfNode_onlyContentsOfItsNode() {
    ContentScope scope = new ContentScope(Optional.of("n1"));
    assertThat(scope.includes(contentOf("n1"))).isTrue();
    assertThat(scope.includes(contentOf("n2"))).isFalse();
    assertThat(scope.includes(TestObjects.snapshotContent("c").build())).isFalse();
  }

  @Test
  void includes_instanceOfCluster_allContents() {
    ContentScope scope = new ContentScope(Optional.empty());
    assertThat(scope.includes(contentOf("n2"))).isTrue();
    assertThat(scope.includes(TestObjects.snapshotContent("c").build())).isTrue();
  }
}
