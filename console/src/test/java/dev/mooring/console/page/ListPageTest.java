package dev.mooring.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.SampleObjects;
import dev.mooring.console.TestConsole;
import dev.mooring.console.view.DataDanger;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListPageTest {
  private final TestConsole console = new TestConsole();

  @BeforeEach
  void start() {
    put("shop", "b", 300, "9Gi");
    put("shop", "a", 200, "10Gi");
    put("web", "c", 100, "500Mi");
    SubjectRef waiting = new SubjectRef(Kind.CLAIM, ObjectKey.of("web", "c"));
    console
        .cluster()
        .explain(waiting, SampleObjects.waiting(waiting, "NoVolume", CauseRank.WAITING, 100));
    console.start();
  }

  @AfterEach
  void stop() {
    console.close();
  }

  private void put(String namespace, String name, long created, String size) {
    console
        .cluster()
        .put(
            Kind.CLAIM,
            TestObjects.claim(SampleObjects.meta(namespace, name, 1, created))
                .request(Quantity.of(size))
                .build());
  }

  private List<?> names(String query) {
    return ((List<?>) console.json("claims.json" + query).get("items"))
        .stream().map(item -> ((Map<?, ?>) item).get("name")).toList();
  }

  @Test
  void sort_everyColumn_ordersRows() {
    assertThat(names("")).isEqualTo(List.of("a", "b", "c"));
    assertThat(names("?sort=-name")).isEqualTo(List.of("c", "b", "a"));
    assertThat(names("?sort=age")).as("youngest first").isEqualTo(List.of("b", "a", "c"));
    assertThat(names("?sort=size")).as("by amount").isEqualTo(List.of("c", "b", "a"));
    assertThat(names("?sort=-size")).isEqualTo(List.of("a", "b", "c"));
    assertThat(names("?sort=reason")).as("waiting first").isEqualTo(List.of("c", "a", "b"));
    assertThat(names("?sort=phase")).as("equal cells").isEqualTo(List.of("a", "b", "c"));
    assertThat(names("?sort=unknown")).isEqualTo(List.of("a", "b", "c"));
  }

  @Test
  void claims_knownDanger_isColumn() {
    console
        .cluster()
        .setDanger(ObjectKey.of("shop", "a"), new DataDanger("1", "delete namespace shop"));

    assertThat(((List<?>) console.json("claims.json").get("items")).getFirst().toString())
        .contains("danger=1");
    assertThat(console.page("claims"))
        .contains("Danger</th>")
        .contains("title=\"delete namespace shop\"", ">1</td>");
    assertThat(console.page("claims/shop/b")).doesNotContain("Danger");
    assertThat(console.page("pods")).doesNotContain("Danger");
  }

  @Test
  void heads_sortedColumn_hasDirectionAndLinkToReverse() {
    String page = console.page("claims?sort=age&namespace=shop");
    assertThat(page)
        .contains("aria-sort=\"ascending\"")
        .contains("href=\"/console/claims?namespace=shop&amp;sort=-age\">Age</a>")
        .contains("href=\"/console/claims?namespace=shop&amp;sort=name\">Name</a>");
    assertThat(console.page("claims?sort=-age")).contains("aria-sort=\"descending\"");
    assertThat(console.page("claims")).doesNotContain("aria-sort");
  }

  @Test
  void namespaceMenu_twoNamespaces_offersBothAndSelectsFilter() {
    assertThat(console.page("claims?namespace=web"))
        .contains(
            "<option value=\"\">All namespaces</option>",
            "<option value=\"shop\">shop</option>",
            "<option value=\"web\" selected=\"\">web</option>");
    assertThat(console.page("waiting")).contains("<option value=\"web\">web</option>");
    assertThat(console.page("volumes")).doesNotContain("<select");
  }

  @Test
  void filter_noMatch_offersToClearIt() {
    assertThat(console.page("claims?q=nothing"))
        .contains("No match. <a href=\"/console/claims\">Clear filter</a>")
        .contains("0 of 3 claims");
    assertThat(console.page("waiting?reason=Other"))
        .contains("No match. <a href=\"/console/waiting\">Clear filter</a>");
    assertThat(console.text("volumes")).contains("0 volumes The cluster has no volumes.");
  }

  @Test
  void count_oneObject_isSingular() {
    console.cluster().remove(Kind.CLAIM, SampleObjects.claim("shop", "a", 1, ClaimPhase.PENDING));
    console.cluster().remove(Kind.CLAIM, SampleObjects.claim("shop", "b", 1, ClaimPhase.PENDING));
    assertThat(console.text("claims")).contains("1 claim ");
  }

  @Test
  void names_longName_breaksAtSeparators() {
    put("shop", "a.very.long.name.with.dots.of.a.claim", 1, "1Gi");
    assertThat(console.page("claims")).contains("a.<wbr>very.<wbr>long.<wbr>");
  }
}
