package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.WaitingSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Frame of every page: head, navigation, footer. */
public final class PageLayout {
  private PageLayout() {}

  public static String of(Page page, WaitingSnapshot waiting) {
    Element root =
        Html.of("html").with("lang", "en").with("data-version", Long.toString(waiting.version()));
    return Html.document(
        (waiting.outage().isPresent() ? root.with("data-outage", "") : root)
            .add(head(page), Html.of("body").add(body(page, waiting))));
  }

  private static Html head(Page page) {
    return Html.of("head")
        .add(
            Html.of("meta").with("charset", "utf-8"),
            Html.of("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1"),
            Html.of("meta").with("name", "color-scheme").with("content", "light dark"),
            Html.of("title").add(page.title() + " · Mooring"),
            Html.of("link")
                .with("rel", "icon")
                .with("href", ConsoleSection.ROOT + "assets/icon.svg")
                .with("type", "image/svg+xml"),
            Html.of("link")
                .with("rel", "stylesheet")
                .with("href", ConsoleSection.ROOT + "assets/console.css"),
            Html.of("link")
                .with("rel", "alternate")
                .with("type", "application/json")
                .with("href", page.json()),
            Html.of("script")
                .with("type", "module")
                .with("src", ConsoleSection.ROOT + "assets/console.js"));
  }

  private static List<Html> body(Page page, WaitingSnapshot waiting) {
    List<Html> parts = new ArrayList<>();
    parts.add(Html.of("a", "skip").with("href", "#main").add("Skip to the content"));
    parts.add(
        Html.of("header")
            .add(
                Html.of("a", "brand")
                    .with("href", ConsoleSection.ROOT)
                    .add(Html.of("span", "mark").with("aria-hidden", "true"), Html.text("Mooring")),
                navigation(page)));
    parts.add(
        Html.of("main")
            .with("id", "main")
            .with("tabindex", "-1")
            .add(Html.of("h1").add(page.title()), reading(waiting), page.body()));
    parts.add(footer(page, waiting));
    return parts;
  }

  private static Html reading(WaitingSnapshot waiting) {
    return Html.of("div")
        .with("id", "reading")
        .with("data-live", "")
        .add(
            waiting.outage().map(PageLayout::unreachable).orElse(Html.NOTHING),
            waiting.isComplete()
                ? Html.NOTHING
                : Html.of("p", "alarm")
                    .add("The cluster is still being read. This page is incomplete."));
  }

  private static Html unreachable(ApiServerOutage outage) {
    return Html.of("p", "alarm")
        .with("role", "alert")
        .add(
            Html.text("The API server has not answered since "),
            time(outage.since()),
            Html.text(". This page shows older data. The console keeps retrying. " + outage.why()));
  }

  private static Html time(Instant at) {
    return Html.of("time")
        .with("datetime", at.toString())
        .add(at.toString().replaceFirst("\\.[0-9]+Z$", "Z"));
  }

  private static Html navigation(Page page) {
    List<Html> entries = new ArrayList<>();
    entry(entries, page, ConsoleSection.ROOT, "Overview");
    entry(entries, page, WaitingPage.ADDRESS, "Waiting");
    for (ConsoleSection section : ConsoleSection.values()) {
      entry(entries, page, section.address(), section.title());
    }
    entry(entries, page, PluginsPage.ADDRESS, "Plugins");
    return Html.of("nav").with("aria-label", "Main").add(Html.of("ul").add(entries));
  }

  private static void entry(List<Html> entries, Page page, String address, String title) {
    Element link = Html.of("a").with("href", address).add(title);
    entries.add(
        Html.of("li").add(page.entry().equals(address) ? link.with("aria-current", "page") : link));
  }

  private static Html footer(Page page, WaitingSnapshot waiting) {
    return Html.of("footer")
        .add(
            Html.of("p")
                .with("id", "as-of")
                .with("data-live", "")
                .add(Html.text("As of "), time(waiting.at())),
            Html.of("p", "status")
                .with("id", "status")
                .with("role", "status")
                .add("Reload the page to see changes."),
            Html.of("p").add(Html.of("a").with("href", page.json()).add("This page as JSON")),
            Html.of("p").add("Read-only: the console writes nothing to the cluster."));
  }
}
