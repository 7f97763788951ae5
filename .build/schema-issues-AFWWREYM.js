import {
  MOST_ISSUES,
  describeIssue,
  issuesOf,
  pathIssuesOf
} from "./chunk-OEGBZOM3.js";
export {
  MOST_ISSUES,
  describeIssue,
  issuesOf,
  pathIssuesOf
};
