package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.WaitingSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Frame of every page: head, navigation, footer. */
public final class PageLayout {
  private PageLayout() {}

  /** Entry of the navigation that only some processes have. */
  public record Entry(String address, String title) {}

  public static final Entry SHADOW = new Entry(ComparisonPage.ADDRESS, "Shadow");

  public static String of(ConsolePage page, WaitingSnapshot waiting, List<Entry> extraPages) {
    Element root =
        HtmlNode.of("html")
            .with("lang", "en")
            .with("data-version", Long.toString(waiting.version()));
    return HtmlNode.document(
        (waiting.outage().isPresent() ? root.with("data-outage", "") : root)
            .add(head(page), HtmlNode.of("body").add(body(page, waiting, extraPages))));
  }

  private static HtmlNode head(ConsolePage page) {
    return HtmlNode.of("head")
        .add(
            HtmlNode.of("meta").with("charset", "utf-8"),
            HtmlNode.of("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1"),
            HtmlNode.of("meta").with("name", "color-scheme").with("content", "light dark"),
            HtmlNode.of("title").add(page.title() + " · Mooring"),
            HtmlNode.of("link")
                .with("rel", "icon")
                .with("href", ConsoleSection.ROOT + "assets/icon.svg")
                .with("type", "image/svg+xml"),
            HtmlNode.of("link")
                .with("rel", "stylesheet")
                .with("href", ConsoleSection.ROOT + "assets/console.css"),
            HtmlNode.of("link")
                .with("rel", "alternate")
                .with("type", "application/json")
                .with("href", page.json()),
            HtmlNode.of("script")
                .with("type", "module")
                .with("src", ConsoleSection.ROOT + "assets/console.js"));
  }

  private static List<HtmlNode> body(
      ConsolePage page, WaitingSnapshot waiting, List<Entry> extraPages) {
    List<HtmlNode> elements = new ArrayList<>();
    elements.add(HtmlNode.of("a", "skip").with("href", "#main").add("Skip to the content"));
    elements.add(
        HtmlNode.of("header")
            .add(
                HtmlNode.of("a", "brand")
                    .with("href", ConsoleSection.ROOT)
                    .add(
                        HtmlNode.of("span", "mark").with("aria-hidden", "true"),
                        HtmlNode.text("Mooring")),
                navigation(page, extraPages)));
    elements.add(
        HtmlNode.of("main")
            .with("id", "main")
            .with("tabindex", "-1")
            .add(HtmlNode.of("h1").add(page.title()), statusAlerts(waiting), page.body()));
    elements.add(footer(page, waiting));
    return elements;
  }

  private static HtmlNode statusAlerts(WaitingSnapshot waiting) {
    return PageElements.live("reading")
        .add(
            waiting.outage().map(PageLayout::outageAlert).orElse(HtmlNode.NOTHING),
            waiting.isComplete()
                ? HtmlNode.NOTHING
                : HtmlNode.of("p", "alarm")
                    .add("The cluster is still being read. This page is incomplete."));
  }

  private static HtmlNode outageAlert(ApiServerOutage outage) {
    return HtmlNode.of("p", "alarm")
        .with("role", "alert")
        .add(
            HtmlNode.text("The API server has not answered since "),
            timeElement(outage.since()),
            HtmlNode.text(
                ". This page shows older data. The console keeps retrying. " + outage.message()));
  }

  private static HtmlNode timeElement(Instant instant) {
    return HtmlNode.of("time")
        .with("datetime", instant.toString())
        .add(instant.toString().replaceFirst("\\.[0-9]+Z$", "Z"));
  }

  private static HtmlNode navigation(ConsolePage page, List<Entry> extraPages) {
    List<HtmlNode> entries = new ArrayList<>();
    addEntry(entries, page, ConsoleSection.ROOT, "Overview");
    addEntry(entries, page, WaitingPage.ADDRESS, "Waiting");
    for (ConsoleSection section : ConsoleSection.values()) {
      addEntry(entries, page, section.address(), section.title());
    }
    addEntry(entries, page, PluginsPage.ADDRESS, "Plugins");
    extraPages.forEach(extra -> addEntry(entries, page, extra.address(), extra.title()));
    return HtmlNode.of("nav").with("aria-label", "Main").add(HtmlNode.of("ul").add(entries));
  }

  private static void addEntry(
      List<HtmlNode> entries, ConsolePage page, String address, String title) {
    Element link = PageElements.link(address, title);
    entries.add(
        HtmlNode.of("li")
            .add(page.entry().equals(address) ? link.with("aria-current", "page") : link));
  }

  private static HtmlNode footer(ConsolePage page, WaitingSnapshot waiting) {
    return HtmlNode.of("footer")
        .add(
            HtmlNode.of("p")
                .with("id", "as-of")
                .with("data-live", "")
                .add(HtmlNode.text("As of "), timeElement(waiting.time())),
            HtmlNode.of("p", "status")
                .with("id", "status")
                .with("role", "status")
                .add("Reload the page to see changes."),
            HtmlNode.of("p")
                .with("id", "json")
                .with("data-live", "")
                .add(PageElements.link(page.json(), "This page as JSON")),
            HtmlNode.of("p").add("Read-only: the console writes nothing to the cluster."));
  }
}
