package dev.mooring.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.AccessModes;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fills every string that a tenant controls with markup, in all objects and explanations. No page
 * may contain additional elements or attributes.
 */
class HostileNamesTest {
  private static final Pattern TAG = Pattern.compile("<(/?[a-zA-Z!][^\\s>]*)");
  private static final Pattern ATTRIBUTE = Pattern.compile("\\s([a-zA-Z0-9-]+)=\"");
  private static final Pattern ADDRESS = Pattern.compile("(?:href|src|action)=\"([^\"]*)\"");

  private final SystemTime time = new SystemTime();
  private final FakeCluster cluster = new FakeCluster();
  private final Console console = new Console(cluster, time);

  @AfterEach
  void stop() throws Exception {
    console.stop();
    time.close();
  }

  private static Meta meta(boolean namespaced, String text) {
    return TestObjects.metaOf(new ObjectKey(namespaced ? text : "", text))
        .uid(text)
        .created(1)
        .labels(Map.of(text, text))
        .annotations(Map.of(text, text))
        .finalizers(List.of(text))
        .meta();
  }

  private void fill(String text) {
    cluster.setExtensions(
        new StorageExtension(
            StorageExtension.ExtensionType.PLUGIN,
            text,
            text,
            text,
            List.of(text),
            new StorageExtension.Health(StorageExtension.Condition.FAILING, text, text, 1, 2)),
        new StorageExtension(
            StorageExtension.ExtensionType.DRIVER,
            text,
            text,
            text,
            List.of(text),
            new StorageExtension.Health(
                StorageExtension.Condition.UNCONFIGURED, text, text, 0, 0)));
    put(Kind.CLAIM, SampleObjects.claim(meta(true, text), text, text, ClaimPhase.PENDING), text);
    put(
        Kind.VOLUME,
        TestObjects.volume(meta(false, text))
            .source(VolumeSource.csi(text, text))
            .accessModes(AccessModes.of(text))
            .claimRef(new ClaimRef(ObjectKey.of(text, text), Uid.of(text)))
            .storageClass(text)
            .attributesClass(text)
            .status(new Volume.Status(VolumePhase.BOUND, text, text))
            .build(),
        text);
    put(
        Kind.POD,
        TestObjects.pod(meta(true, text))
            .nodeName(text)
            .claims(List.of(text))
            .containersStopped(true)
            .build(),
        text);
    put(
        Kind.STORAGE_CLASS,
        TestObjects.storageClass(meta(false, text))
            .provisioner(text)
            .parameters(Map.of(text, text))
            .mountOptions(List.of(text))
            .build(),
        text);
    put(
        Kind.ATTACHMENT,
        TestObjects.attachment(meta(false, text))
            .attacher(text)
            .volumeName(text)
            .nodeName(text)
            .attachError(text)
            .detachError(text)
            .build(),
        text);
    put(
        Kind.NODE,
        TestObjects.node(meta(false, text))
            .taints(List.of(text))
            .ready(text)
            .volumesInUse(List.of(text))
            .volumesAttached(Map.of(text, text))
            .build(),
        text);
    fillSnapshots(text);
  }

  private void fillSnapshots(String text) {
    put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(meta(true, text))
            .sourceClaim(text)
            .className(text)
            .status(
                new VolumeSnapshot.Status(
                    text, false, 0, Optional.empty(), new VolumeSnapshot.Problem(1, text), text))
            .build(),
        text);
    put(
        Kind.GROUP_SNAPSHOT,
        TestObjects.groupSnapshot(text, text)
            .meta(meta(true, text))
            .className(text)
            .status(new GroupSnapshot.Status(text, false, 0, new VolumeSnapshot.Problem(1, text)))
            .build(),
        text);
  }

  private <T extends Resource> void put(Kind<T> kind, T object, String text) {
    SubjectRef subject = new SubjectRef(kind, object.key());
    cluster.explain(subject, SampleObjects.withEveryString(text, subject, CauseRank.MISCONFIGURED));
    cluster.put(kind, object);
  }

  private static Stream<String> paths(String text) {
    return Stream.concat(
        Stream.concat(Stream.of("", "waiting", "waiting?reason=", "plugins"), MISSING.stream()),
        Stream.of(ConsoleSection.values())
            .flatMap(s ->
                Stream.of(
                    s.path(),
                    s.path() + "?namespace=",
                    s.path() + "?q=",
                    s.address(new ObjectKey(s.kind().namespaced() ? text : "", text))
                        .substring(ConsoleSection.ROOT.length()))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</title><svg/onload=alert(1)>",
        "javascript:alert(1)",
        "//evil.example.com/",
        "--><!--<b>",
        "&lt;b&gt;&#x3c;b&#x3e;",
        "\u202e\u0000<b\u2028>",
        "../../../../metrics",
        "%3cscript%3e",
        "a/b?c=d&e=f#g"
      })
  void answer_hostileNames_hasNoInjectedMarkup(String text) throws Exception {
    fill(text);
    console.start();
    TestWait.until(
        "all objects are evaluated",
        () -> !fetchPage("overview", text).contains("still being read"));
    List<String> paths = paths(text).toList();
    for (String path : paths) {
      String page = fetchPage(path, text);
      assertThat(findElements(page)).as(path).isSubsetOf(ELEMENTS);
      assertThat(findAttributes(page)).as(path).isSubsetOf(ATTRIBUTES);
      assertThat(findAddresses(page)).as(path).allMatch(a -> a.matches("/console/.*|#main"));
      assertThat(page.contains("<h1>Not found</h1>")).as(path).isEqualTo(MISSING.contains(path));
      assertThat(page).doesNotContain("<script>", "\u202e", "\u0000", "\u2028");
    }
  }

  private static final List<String> MISSING = List.of("claims/none", "nothing");

  private static final List<String> ELEMENTS =
      List.of(
          "!doctype",
          "html",
          "head",
          "meta",
          "title",
          "link",
          "script",
          "body",
          "a",
          "header",
          "span",
          "nav",
          "ul",
          "li",
          "main",
          "h1",
          "h2",
          "h3",
          "div",
          "section",
          "p",
          "dl",
          "dt",
          "dd",
          "table",
          "caption",
          "thead",
          "tbody",
          "tr",
          "th",
          "td",
          "time",
          "footer",
          "form",
          "label",
          "input",
          "button",
          "ol",
          "strong",
          "select",
          "option",
          "details",
          "summary",
          "code",
          "svg",
          "rect",
          "polygon",
          "polyline",
          "wbr");

  private static final List<String> ATTRIBUTES =
      List.of(
          "lang",
          "data-version",
          "charset",
          "name",
          "content",
          "rel",
          "href",
          "type",
          "src",
          "class",
          "id",
          "tabindex",
          "data-live",
          "data-label",
          "aria-label",
          "aria-current",
          "aria-hidden",
          "aria-labelledby",
          "role",
          "title",
          "datetime",
          "scope",
          "action",
          "method",
          "maxlength",
          "autocomplete",
          "spellcheck",
          "value",
          "checked",
          "selected",
          "aria-sort",
          "viewBox",
          "preserveAspectRatio",
          "points",
          "width",
          "height");

  private static List<String> findElements(String page) {
    return findGroups(TAG, page).stream().map(tag -> tag.replace("/", "")).distinct().toList();
  }

  private static List<String> findAttributes(String page) {
    return findGroups(ATTRIBUTE, page).stream().distinct().toList();
  }

  private static List<String> findAddresses(String page) {
    return findGroups(ADDRESS, page);
  }

  private static List<String> findGroups(Pattern pattern, String page) {
    return pattern.matcher(page).results().map(result -> result.group(1)).toList();
  }

  private String fetchPage(String path, String text) {
    int question = path.indexOf('?');
    String query = question < 0 ? "" : path.substring(question + 1) + ConsoleSection.encode(text);
    try {
      ConsoleReply reply =
          console.answer(
              new ConsoleRequest(
                  ConsoleSection.ROOT + (question < 0 ? path : path.substring(0, question)),
                  query,
                  ""));
      return ((ConsoleReply.Document) reply).text();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
