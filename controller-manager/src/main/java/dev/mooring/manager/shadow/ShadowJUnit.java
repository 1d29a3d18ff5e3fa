package dev.mooring.manager.shadow;

import dev.mooring.manager.shadow.ShadowReport.ClassResult;
import dev.mooring.manager.shadow.pairing.DecisionClass;
import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Formats a report as JUnit XML: one test case per class of decisions. */
public final class ShadowJUnit {
  private static final String SUITE = "mooring shadow";

  private ShadowJUnit() {}

  public static String format(ShadowReport report) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", SUITE);
      xml.writeAttribute("tests", Integer.toString(report.classes().size()));
      xml.writeAttribute(
          "failures",
          Long.toString(
              report.classes().values().stream()
                  .filter(result -> result.unexplained() > 0)
                  .count()));
      report
          .classes()
          .forEach((decisionClass, result) -> {
            try {
              writeCase(xml, decisionClass, result, report);
            } catch (XMLStreamException e) {
              throw new IllegalStateException(e);
            }
          });
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }

  private static void writeCase(
      XMLStreamWriter xml, DecisionClass decisionClass, ClassResult result, ShadowReport report)
      throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", SUITE);
    xml.writeAttribute("name", decisionClass.toString());
    if (result.unexplained() > 0) {
      xml.writeStartElement("failure");
      xml.writeAttribute("message", result.unexplained() + " unexplained");
      for (UnexplainedDifference difference : report.unexplained()) {
        if (difference.finding().decisionClass() == decisionClass) {
          xml.writeCharacters(DifferenceText.summary(difference.finding()) + "\n");
        }
      }
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }
}
