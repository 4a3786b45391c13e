package io.headgate.picture;

import io.headgate.graph.Deadline;
import io.headgate.graph.GraphWriter;
import io.headgate.graph.ReportedGraph;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** A picture of a graph, and what a strict XML parser finds in it. */
final class Drawn {
  private static final int CAP = 8 << 20;

  final boolean grouped;
  final String text;
  final Document document;

  private Drawn(Painting painting) {
    grouped = painting.grouped();
    byte[] bytes = painting.svg().toByteArray();
    text = new String(bytes, StandardCharsets.UTF_8);
    document = parsed(bytes);
  }

  static Drawn of(ReportedGraph graph) {
    return of(graph, PictureConfig.DEFAULT);
  }

  static Drawn of(ReportedGraph graph, PictureConfig config) {
    return ofAnswer(GraphWriter.write(graph.checked(), CAP).toByteArray(), config);
  }

  static Drawn ofAnswer(byte[] answer, PictureConfig config) {
    Deadline deadline = Deadline.in(Duration.ofMinutes(5));
    return new Drawn(new SvgPainter(config, CAP).paint(answer, deadline));
  }

  private static Document parsed(byte[] bytes) {
    try {
      DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
      parsers.setNamespaceAware(true);
      parsers.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      parsers.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var parser = parsers.newDocumentBuilder();
      parser.setErrorHandler(new DefaultHandler());
      return parser.parse(new ByteArrayInputStream(bytes));
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError(new String(bytes, StandardCharsets.UTF_8), e);
    }
  }

  /** All elements of this name, in order. */
  List<Element> all(String name) {
    NodeList found = document.getElementsByTagNameNS("*", name);
    List<Element> elements = new ArrayList<>();
    IntStream.range(0, found.getLength()).forEach(i -> elements.add((Element) found.item(i)));
    return elements;
  }

  /** The ids of the boxes. */
  List<String> boxes() {
    return all("svg").stream()
        .map(box -> box.getAttribute("data-node"))
        .filter(id -> !id.isEmpty())
        .toList();
  }

  /** The pipelines of the lines, a number a line. */
  List<String> lines() {
    return all("g").stream()
        .map(line -> line.getAttribute("data-pipeline"))
        .filter(pipeline -> !pipeline.isEmpty())
        .toList();
  }

  /** What is written in the picture, line by line. */
  List<String> written() {
    return all("text").stream().map(Element::getTextContent).toList();
  }

  String description() {
    return all("desc").get(0).getTextContent();
  }

  /** The outline of a box. */
  Element outline(String id) {
    Element box =
        all("svg").stream()
            .filter(each -> each.getAttribute("data-node").equals(id))
            .findFirst()
            .orElseThrow();
    return (Element) box.getElementsByTagNameNS("*", "path").item(0);
  }
}
