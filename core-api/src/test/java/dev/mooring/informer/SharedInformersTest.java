package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedInformersTest {
  private final SharedInformers informers = new SharedInformers();
  private final Index<CsiDriver, Boolean> byAttach =
      new Index<>("attach", driver -> List.of(driver.attachRequired()));
  private final Index<CsiDriver, String> byInitial =
      new Index<>("initial", driver -> List.of(driver.meta().name().substring(0, 1)));

  private static CsiDriver driver(String name, boolean attach) {
    return TestObjects.csiDriver(ObjectKey.cluster(name))
        .uid("u-" + name)
        .version(7)
        .created(1)
        .attachRequired(attach)
        .build();
  }

  @Test
  void of_sameKind_returnsSameInformer() {
    assertThat(informers.find(Kind.CSI_DRIVER)).isEmpty();
    Informer<CsiDriver> first = informers.of(Kind.CSI_DRIVER);
    assertThat(informers.of(Kind.CSI_DRIVER)).isSameAs(first);
    assertThat(informers.find(Kind.CSI_DRIVER)).containsSame(first);
    assertThat(informers.of(Kind.NODE).kind()).isEqualTo(Kind.NODE);
  }

  @Test
  void of_severalIndexes_addsAll() {
    Informer<CsiDriver> informer = informers.of(Kind.CSI_DRIVER, byAttach);
    informers.of(Kind.CSI_DRIVER, byInitial, byAttach);
    informer.applyEvent(driver("a", true));
    assertThat(informer.snapshot().findByIndex(byAttach, true)).hasSize(1);
    assertThat(informer.snapshot().findByIndex(byInitial, "a")).hasSize(1);
  }

  @Test
  void of_lateIndex_containsPresentObjects() {
    Informer<CsiDriver> informer = informers.of(Kind.CSI_DRIVER, byAttach);
    informer.applyEvent(driver("a", true));
    informer.applyEvent(driver("b", false));
    CacheSnapshot<CsiDriver> before = informer.snapshot();
    assertThatThrownBy(() -> before.findByIndex(byInitial, "a")).hasMessageContaining("initial");

    informers.of(Kind.CSI_DRIVER, byInitial);

    assertThat(informer.snapshot().findByIndex(byInitial, "b")).containsExactly(driver("b", false));
    assertThat(informer.snapshot().findByIndex(byAttach, true)).containsExactly(driver("a", true));
    assertThat(informer.snapshot().size()).isEqualTo(2);
  }
}
