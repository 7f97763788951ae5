import {
  openApi
} from "./chunk-LKGQ46AK.js";
import {
  nameTypes
} from "./chunk-Y6XP46SP.js";
import {
  isElementType,
  wireType
} from "./chunk-ST73ZHQR.js";
import {
  refusals
} from "./chunk-MW7MI5LZ.js";
import "./chunk-OEGBZOM3.js";
import "./chunk-JD7TKZ54.js";
import "./chunk-ELCYYWVK.js";

// src/api/api-document.ts
import * as z from "zod";

// src/api/examples.json
var examples_default = {
  listCourses: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "drafts",
              object: "course",
              name: "Course in the making",
              status: "draft",
              cover: null,
              availability: "private",
              visibility: "unlisted",
              start_date: null,
              end_date: null,
              currency: null,
              price: null,
              free_label: null,
              url: null,
              public_url: null,
              join_url: null,
              metadata: {},
              custom_fields: {},
              created_at: "2025-12-31T23:59:59.972Z"
            },
            {
              id: "teamwork",
              object: "course",
              name: "Teamwork in Practice",
              status: "published",
              cover: null,
              availability: "private",
              visibility: "unlisted",
              start_date: "2026-02-02",
              end_date: null,
              currency: null,
              price: null,
              free_label: "Free for members",
              url: null,
              public_url: null,
              join_url: null,
              metadata: {},
              custom_fields: {},
              created_at: "2025-12-31T23:59:59.949Z"
            }
          ],
          next: "WyIyMDI1LTEyLTMxVDIzOjU5OjU5Ljk0OVoiLDUwLCJKbEV1by05aSJd"
        }
      }
    }
  },
  retrieveCourse: {
    answer: {
      course: {
        error: null,
        payload: {
          id: "drafts",
          object: "course",
          name: "Course in the making",
          status: "draft",
          cover: null,
          availability: "private",
          visibility: "unlisted",
          start_date: null,
          end_date: null,
          currency: null,
          price: null,
          free_label: null,
          url: null,
          public_url: null,
          join_url: null,
          metadata: {},
          custom_fields: {},
          created_at: "2025-12-31T23:59:59.972Z"
        }
      }
    }
  },
  listModules: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "teamwork-extra",
              object: "module",
              name: "Extra material",
              position: 1,
              course: "teamwork",
              metadata: {},
              created_at: "2025-12-31T23:59:59.967Z"
            },
            {
              id: "teamwork-together",
              object: "module",
              name: "Working together",
              position: 0,
              course: "teamwork",
              metadata: {},
              created_at: "2025-12-31T23:59:59.954Z"
            }
          ],
          next: "WyIyMDI1LTEyLTMxVDIzOjU5OjU5Ljk1NFoiLDU1LCJPRnVOblk2QiJd"
        }
      }
    }
  },
  retrieveModule: {
    answer: {
      module: {
        error: null,
        payload: {
          id: "teamwork-extra",
          object: "module",
          name: "Extra material",
          position: 1,
          course: "teamwork",
          metadata: {},
          created_at: "2025-12-31T23:59:59.967Z"
        }
      }
    }
  },
  listMembers: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "ivan",
              object: "member",
              first_name: "Ivan",
              last_name: "Petrov",
              full_name: "Ivan Petrov",
              avatar: null,
              email: "ivan@mail.test",
              is_email_verified: true,
              last_seen: null,
              created_at: "2025-12-31T23:59:59.915Z"
            },
            {
              id: "elif",
              object: "member",
              first_name: "Elif",
              last_name: "Kaya",
              full_name: "Elif Kaya",
              avatar: null,
              email: "elif@mail.test",
              is_email_verified: false,
              last_seen: null,
              created_at: "2025-12-31T23:59:59.914Z"
            }
          ],
          next: "WyIyMDI1LTEyLTMxVDIzOjU5OjU5LjkxNFoiLDE1LCJub09fS2NvNCJd"
        }
      }
    }
  },
  retrieveMember: {
    answer: {
      member: {
        error: null,
        payload: {
          id: "ivan",
          object: "member",
          first_name: "Ivan",
          last_name: "Petrov",
          full_name: "Ivan Petrov",
          avatar: null,
          email: "ivan@mail.test",
          is_email_verified: true,
          last_seen: null,
          created_at: "2025-12-31T23:59:59.915Z"
        }
      }
    }
  },
  listActivities: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "AJx3toSdF0GbYSoR",
              object: "activity",
              timestamp: "2025-12-31T23:59:59.969Z",
              status: "submitted",
              passed: null,
              score: null,
              completed_by: "dara",
              member: {
                id: "dara",
                object: "member",
                first_name: "Dara",
                last_name: "Novak",
                full_name: "Dara Novak",
                avatar: null,
                email: "dara@mail.test",
                is_email_verified: true,
                last_seen: null,
                created_at: "2025-12-31T23:59:59.913Z"
              },
              context: {
                id: "feedback-form",
                object: "element",
                name: "Tell us how it went",
                type: "FORM",
                position: 0,
                module: "teamwork-extra"
              },
              meta: {
                responses: [
                  {
                    question: "form-best",
                    value: "The first call together."
                  },
                  {
                    question: "form-recommend",
                    value: 9
                  }
                ]
              },
              created_at: "2025-12-31T23:59:59.969Z"
            },
            {
              id: "i2Aa7QuVGB1e0maV",
              object: "activity",
              timestamp: "2025-12-31T23:59:59.966Z",
              status: "completed",
              passed: null,
              score: null,
              completed_by: "elif",
              member: {
                id: "elif",
                object: "member",
                first_name: "Elif",
                last_name: "Kaya",
                full_name: "Elif Kaya",
                avatar: null,
                email: "elif@mail.test",
                is_email_verified: false,
                last_seen: null,
                created_at: "2025-12-31T23:59:59.914Z"
              },
              context: {
                id: "team-checklist",
                object: "element",
                name: "Before you start",
                type: "CHECKLIST",
                position: 7,
                module: "teamwork-together"
              },
              meta: {
                responses: [
                  {
                    question: "check-calendar",
                    value: true
                  },
                  {
                    question: "check-thread",
                    value: true
                  }
                ]
              },
              created_at: "2025-12-31T23:59:59.966Z"
            }
          ],
          next: "WyIyMDI1LTEyLTMxVDIzOjU5OjU5Ljk2NloiLDY3LCIyRUozTnhRayJd"
        }
      }
    }
  },
  retrieveActivity: {
    answer: {
      activity: {
        error: null,
        payload: {
          id: "AJx3toSdF0GbYSoR",
          object: "activity",
          timestamp: "2025-12-31T23:59:59.969Z",
          status: "submitted",
          passed: null,
          score: null,
          completed_by: "dara",
          member: {
            id: "dara",
            object: "member",
            first_name: "Dara",
            last_name: "Novak",
            full_name: "Dara Novak",
            avatar: null,
            email: "dara@mail.test",
            is_email_verified: true,
            last_seen: null,
            created_at: "2025-12-31T23:59:59.913Z"
          },
          context: {
            id: "feedback-form",
            object: "element",
            name: "Tell us how it went",
            type: "FORM",
            position: 0,
            module: "teamwork-extra"
          },
          meta: {
            responses: [
              {
                question: "form-best",
                value: "The first call together."
              },
              {
                question: "form-recommend",
                value: 9
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.969Z"
        }
      }
    }
  },
  listCourseMembers: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "ivan",
              object: "course_member",
              joined_at: "2026-01-01T00:00:00.000Z",
              member: {
                id: "ivan",
                object: "member",
                first_name: "Ivan",
                last_name: "Petrov",
                full_name: "Ivan Petrov",
                avatar: null,
                email: "ivan@mail.test",
                is_email_verified: true,
                last_seen: null,
                created_at: "2025-12-31T23:59:59.915Z"
              },
              course: "teamwork",
              custom_fields: {},
              created_at: "2025-12-31T23:59:59.953Z"
            },
            {
              id: "elif",
              object: "course_member",
              joined_at: "2026-01-01T00:00:00.000Z",
              member: {
                id: "elif",
                object: "member",
                first_name: "Elif",
                last_name: "Kaya",
                full_name: "Elif Kaya",
                avatar: null,
                email: "elif@mail.test",
                is_email_verified: false,
                last_seen: null,
                created_at: "2025-12-31T23:59:59.914Z"
              },
              course: "teamwork",
              custom_fields: {},
              created_at: "2025-12-31T23:59:59.952Z"
            }
          ],
          next: "WyIyMDI1LTEyLTMxVDIzOjU5OjU5Ljk1MloiLDUzLCJLeFVYYTFqUiJd"
        }
      }
    }
  },
  retrieveCourseMember: {
    answer: {
      member: {
        error: null,
        payload: {
          id: "ivan",
          object: "course_member",
          joined_at: "2026-01-01T00:00:00.000Z",
          member: {
            id: "ivan",
            object: "member",
            first_name: "Ivan",
            last_name: "Petrov",
            full_name: "Ivan Petrov",
            avatar: null,
            email: "ivan@mail.test",
            is_email_verified: true,
            last_seen: null,
            created_at: "2025-12-31T23:59:59.915Z"
          },
          course: "teamwork",
          custom_fields: {},
          created_at: "2025-12-31T23:59:59.953Z"
        }
      }
    }
  },
  listElements: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "partner-course",
              object: "element",
              name: "Partner course: negotiation",
              content: "",
              type: "PARTNER_LEARNING",
              position: 2,
              module: "teamwork-extra",
              course: "teamwork",
              cover: null,
              metadata: {},
              properties: {},
              created_at: "2025-12-31T23:59:59.971Z",
              updated_at: "2025-12-31T23:59:59.971Z"
            },
            {
              id: "simulation",
              object: "element",
              name: "Conflict simulation",
              content: "",
              type: "SCORM",
              position: 1,
              module: "teamwork-extra",
              course: "teamwork",
              cover: null,
              metadata: {},
              properties: {
                scorm_url: "https://cdn.acme.test/scorm/conflict.zip",
                scorm_user_identifier: "user_id"
              },
              created_at: "2025-12-31T23:59:59.970Z",
              updated_at: "2025-12-31T23:59:59.970Z"
            }
          ],
          next: "WyIyMDI1LTEyLTMxVDIzOjU5OjU5Ljk3MFoiLDcxLCJvdElBSlhtMSJd"
        }
      }
    }
  },
  searchElements: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "grammar-quiz",
              object: "element",
              name: "Grammar check",
              content: "",
              type: "QUIZ",
              position: 2,
              module: "writing-basics",
              course: "writing",
              cover: null,
              metadata: {},
              properties: {
                passing_score: 70,
                completion_trigger: "on_pass",
                questions: [
                  {
                    id: "quiz-voice",
                    text: "Which sentence is in the active voice?",
                    shuffle: true,
                    require_all_correct: false,
                    answers: [
                      {
                        id: "quiz-voice-a",
                        text: "The report was written by Ada.",
                        is_correct: false
                      },
                      {
                        id: "quiz-voice-b",
                        text: "Ada wrote the report.",
                        is_correct: true
                      }
                    ]
                  },
                  {
                    id: "quiz-verbs",
                    text: "Pick every verb.",
                    shuffle: false,
                    require_all_correct: true,
                    answers: [
                      {
                        id: "quiz-verbs-a",
                        text: "run",
                        is_correct: true
                      },
                      {
                        id: "quiz-verbs-b",
                        text: "read",
                        is_correct: true
                      },
                      {
                        id: "quiz-verbs-c",
                        text: "table",
                        is_correct: false
                      }
                    ]
                  }
                ]
              },
              created_at: "2025-12-31T23:59:59.924Z",
              updated_at: "2025-12-31T23:59:59.924Z"
            }
          ],
          next: null
        }
      }
    }
  },
  searchElementsByBody: {
    body: {
      search: {
        q: "a",
        type: "QUIZ"
      }
    },
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "grammar-quiz",
              object: "element",
              name: "Grammar check",
              content: "",
              type: "QUIZ",
              position: 2,
              module: "writing-basics",
              course: "writing",
              cover: null,
              metadata: {},
              properties: {
                passing_score: 70,
                completion_trigger: "on_pass",
                questions: [
                  {
                    id: "quiz-voice",
                    text: "Which sentence is in the active voice?",
                    shuffle: true,
                    require_all_correct: false,
                    answers: [
                      {
                        id: "quiz-voice-a",
                        text: "The report was written by Ada.",
                        is_correct: false
                      },
                      {
                        id: "quiz-voice-b",
                        text: "Ada wrote the report.",
                        is_correct: true
                      }
                    ]
                  },
                  {
                    id: "quiz-verbs",
                    text: "Pick every verb.",
                    shuffle: false,
                    require_all_correct: true,
                    answers: [
                      {
                        id: "quiz-verbs-a",
                        text: "run",
                        is_correct: true
                      },
                      {
                        id: "quiz-verbs-b",
                        text: "read",
                        is_correct: true
                      },
                      {
                        id: "quiz-verbs-c",
                        text: "table",
                        is_correct: false
                      }
                    ]
                  }
                ]
              },
              created_at: "2025-12-31T23:59:59.924Z",
              updated_at: "2025-12-31T23:59:59.924Z"
            }
          ],
          next: null
        }
      }
    }
  },
  retrieveElement: {
    answer: {
      CONTENT: {
        error: null,
        payload: {
          id: "welcome",
          object: "element",
          name: "Welcome",
          content: "# Welcome\n\nThis course is about **clear** writing: short sentences, active verbs and _one_ idea a paragraph.",
          type: "CONTENT",
          position: 0,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {
            minutes: "5"
          },
          properties: {},
          created_at: "2025-12-31T23:59:59.922Z",
          updated_at: "2025-12-31T23:59:59.922Z"
        }
      },
      VIDEO: {
        error: null,
        payload: {
          id: "intro-video",
          object: "element",
          name: "What good writing does",
          content: "",
          type: "VIDEO",
          position: 1,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            video_url: "https://videos.acme.test/watch/what-good-writing-does",
            video_type: "URL"
          },
          created_at: "2025-12-31T23:59:59.923Z",
          updated_at: "2025-12-31T23:59:59.923Z"
        }
      },
      MEETING_PROVIDER_A: {
        error: null,
        payload: {
          id: "team-call",
          object: "element",
          name: "Kick-off call",
          content: "",
          type: "MEETING_PROVIDER_A",
          position: 4,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            start_date: "2026-02-02T09:00:00Z",
            end_date: "2026-02-02T10:00:00Z",
            meeting_reports: true
          },
          created_at: "2025-12-31T23:59:59.962Z",
          updated_at: "2025-12-31T23:59:59.962Z"
        }
      },
      MEETING_LINK: {
        error: null,
        payload: {
          id: "office-hours",
          object: "element",
          name: "Office hours",
          content: "",
          type: "MEETING_LINK",
          position: 6,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            meeting_url: "https://meet.acme.test/office-hours",
            start_date: "2026-02-04",
            end_date: "2026-02-04"
          },
          created_at: "2025-12-31T23:59:59.964Z",
          updated_at: "2025-12-31T23:59:59.964Z"
        }
      },
      QUIZ: {
        error: null,
        payload: {
          id: "grammar-quiz",
          object: "element",
          name: "Grammar check",
          content: "",
          type: "QUIZ",
          position: 2,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            passing_score: 70,
            completion_trigger: "on_pass",
            questions: [
              {
                id: "quiz-voice",
                text: "Which sentence is in the active voice?",
                shuffle: true,
                require_all_correct: false,
                answers: [
                  {
                    id: "quiz-voice-a",
                    text: "The report was written by Ada.",
                    is_correct: false
                  },
                  {
                    id: "quiz-voice-b",
                    text: "Ada wrote the report.",
                    is_correct: true
                  }
                ]
              },
              {
                id: "quiz-verbs",
                text: "Pick every verb.",
                shuffle: false,
                require_all_correct: true,
                answers: [
                  {
                    id: "quiz-verbs-a",
                    text: "run",
                    is_correct: true
                  },
                  {
                    id: "quiz-verbs-b",
                    text: "read",
                    is_correct: true
                  },
                  {
                    id: "quiz-verbs-c",
                    text: "table",
                    is_correct: false
                  }
                ]
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.924Z",
          updated_at: "2025-12-31T23:59:59.924Z"
        }
      },
      SUBMISSION: {
        error: null,
        payload: {
          id: "essay",
          object: "element",
          name: "Essay: explain your job",
          content: "At most **300 words**.",
          type: "SUBMISSION",
          position: 3,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            questions: [
              {
                id: "essay-text",
                text: "Explain your job to a neighbour.",
                accept_text: true,
                text_required: true,
                accept_file: false,
                file_required: false,
                file_multiple: false
              },
              {
                id: "essay-notes",
                text: "Attach your notes, if you have any.",
                accept_text: false,
                text_required: false,
                accept_file: true,
                file_required: false,
                file_multiple: true
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.928Z",
          updated_at: "2025-12-31T23:59:59.928Z"
        }
      },
      GROUP_SUBMISSION: {
        error: null,
        payload: {
          id: "team-plan",
          object: "element",
          name: "Plan of the team",
          content: "",
          type: "GROUP_SUBMISSION",
          position: 1,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            questions: [
              {
                id: "plan-goal",
                text: "What is your goal?",
                accept_text: true,
                text_required: true,
                accept_file: false,
                file_required: false,
                file_multiple: false
              },
              {
                id: "plan-file",
                text: "Your plan as a file",
                accept_text: false,
                text_required: false,
                accept_file: true,
                file_required: true,
                file_multiple: false
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.957Z",
          updated_at: "2025-12-31T23:59:59.957Z"
        }
      },
      EMBED: {
        error: null,
        payload: {
          id: "word-counter",
          object: "element",
          name: "Word counter",
          content: "",
          type: "EMBED",
          position: 6,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            embed: '<iframe src="https://tools.acme.test/word-counter"></iframe>'
          },
          created_at: "2025-12-31T23:59:59.934Z",
          updated_at: "2025-12-31T23:59:59.934Z"
        }
      },
      SURVEY: {
        error: null,
        payload: {
          id: "reading-survey",
          object: "element",
          name: "What do you read?",
          content: "",
          type: "SURVEY",
          position: 4,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            questions: [
              {
                id: "survey-reads",
                text: "What do you read most?",
                options: [
                  {
                    id: "survey-reads-news",
                    text: "News"
                  },
                  {
                    id: "survey-reads-books",
                    text: "Books"
                  },
                  {
                    id: "survey-reads-mail",
                    text: "Mail"
                  }
                ]
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.931Z",
          updated_at: "2025-12-31T23:59:59.931Z"
        }
      },
      SCORM: {
        error: null,
        payload: {
          id: "simulation",
          object: "element",
          name: "Conflict simulation",
          content: "",
          type: "SCORM",
          position: 1,
          module: "teamwork-extra",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            scorm_url: "https://cdn.acme.test/scorm/conflict.zip",
            scorm_user_identifier: "user_id"
          },
          created_at: "2025-12-31T23:59:59.970Z",
          updated_at: "2025-12-31T23:59:59.970Z"
        }
      },
      CERTIFICATE: {
        error: null,
        payload: {
          id: "writing-certificate",
          object: "element",
          name: "Certificate",
          content: "",
          type: "CERTIFICATE",
          position: 8,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            certificate_title: "Certificate of Completion",
            certificate_description: "Has completed the course with success.",
            certificate_course_name: "Writing That Works",
            certificate_issued_by: "Acme Academy"
          },
          created_at: "2025-12-31T23:59:59.948Z",
          updated_at: "2025-12-31T23:59:59.948Z"
        }
      },
      TAG: {
        error: null,
        payload: {
          id: "writing-tag",
          object: "element",
          name: "Beginner",
          content: "",
          type: "TAG",
          position: 7,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {},
          created_at: "2025-12-31T23:59:59.935Z",
          updated_at: "2025-12-31T23:59:59.935Z"
        }
      },
      PARTNER_LEARNING: {
        error: null,
        payload: {
          id: "partner-course",
          object: "element",
          name: "Partner course: negotiation",
          content: "",
          type: "PARTNER_LEARNING",
          position: 2,
          module: "teamwork-extra",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {},
          created_at: "2025-12-31T23:59:59.971Z",
          updated_at: "2025-12-31T23:59:59.971Z"
        }
      },
      SELF_REVIEW: {
        error: null,
        payload: {
          id: "essay-self-review",
          object: "element",
          name: "Review your own essay",
          content: "",
          type: "SELF_REVIEW",
          position: 0,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "SUBMISSION",
              id: "essay",
              name: "Essay: explain your job"
            },
            questions: [
              {
                id: "self-clear",
                type: "YES_NO",
                text: "Would your neighbour understand it?",
                optional: false,
                yes_text: "Yes",
                no_text: "Not yet"
              },
              {
                id: "self-change",
                type: "TEXT",
                text: "What would you change?",
                optional: true,
                min_words: 5
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.937Z",
          updated_at: "2025-12-31T23:59:59.937Z"
        }
      },
      PEER_REVIEW: {
        error: null,
        payload: {
          id: "essay-peer-review",
          object: "element",
          name: "Review a peer's essay",
          content: "",
          type: "PEER_REVIEW",
          position: 1,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "SUBMISSION",
              id: "essay",
              name: "Essay: explain your job"
            },
            questions: [
              {
                id: "peer-intro",
                type: "INFO_BOX",
                text: "Be kind, be specific, be brief.",
                optional: false
              },
              {
                id: "peer-clarity",
                type: "NUMBER_SCALE",
                text: "How clear is it?",
                optional: false,
                range_min: 1,
                range_max: 5
              },
              {
                id: "peer-tone",
                type: "TEXT_SCALE",
                text: "How is the tone?",
                optional: false,
                options: [
                  {
                    text: "Stiff"
                  },
                  {
                    text: "Plain"
                  },
                  {
                    text: "Warm"
                  }
                ]
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.939Z",
          updated_at: "2025-12-31T23:59:59.939Z"
        }
      },
      FEEDBACK_REFLECTION: {
        error: null,
        payload: {
          id: "peer-reflection",
          object: "element",
          name: "Reflect on the feedback",
          content: "",
          type: "FEEDBACK_REFLECTION",
          position: 2,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "PEER_REVIEW",
              id: "essay-peer-review",
              name: "Review a peer's essay"
            },
            questions: [
              {
                id: "reflection-useful",
                type: "NUMBER_SCALE",
                text: "How useful was the feedback?",
                optional: false,
                range_min: 0,
                range_max: 10
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.941Z",
          updated_at: "2025-12-31T23:59:59.941Z"
        }
      },
      INSTRUCTOR_REVIEW: {
        error: null,
        payload: {
          id: "essay-instructor-review",
          object: "element",
          name: "Chen's review",
          content: "",
          type: "INSTRUCTOR_REVIEW",
          position: 4,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "SUBMISSION",
              id: "essay",
              name: "Essay: explain your job"
            },
            questions: [
              {
                id: "instructor-grade",
                type: "NUMBER_SCALE",
                text: "Grade",
                optional: false,
                range_min: 0,
                range_max: 100
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.943Z",
          updated_at: "2025-12-31T23:59:59.943Z"
        }
      },
      INSTRUCTOR_DISCUSSION: {
        error: null,
        payload: {
          id: "essay-discussion",
          object: "element",
          name: "Talk it over with Chen",
          content: "",
          type: "INSTRUCTOR_DISCUSSION",
          position: 5,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "SUBMISSION",
              id: "essay",
              name: "Essay: explain your job"
            }
          },
          created_at: "2025-12-31T23:59:59.944Z",
          updated_at: "2025-12-31T23:59:59.944Z"
        }
      },
      AI_REVIEW: {
        error: null,
        payload: {
          id: "essay-ai-review",
          object: "element",
          name: "Automatic review",
          content: "",
          type: "AI_REVIEW",
          position: 3,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "SUBMISSION",
              id: "essay",
              name: "Essay: explain your job"
            },
            questions: [
              {
                id: "ai-length",
                type: "YES_NO",
                text: "Is it under 300 words?",
                optional: false,
                yes_text: "Under",
                no_text: "Over"
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.942Z",
          updated_at: "2025-12-31T23:59:59.942Z"
        }
      },
      CHECKLIST: {
        error: null,
        payload: {
          id: "team-checklist",
          object: "element",
          name: "Before you start",
          content: "",
          type: "CHECKLIST",
          position: 7,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            questions: [
              {
                id: "check-calendar",
                text: "Share your calendar"
              },
              {
                id: "check-thread",
                text: "Say hello in your thread"
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.965Z",
          updated_at: "2025-12-31T23:59:59.965Z"
        }
      },
      DISCUSSION: {
        error: null,
        payload: {
          id: "forum",
          object: "element",
          name: "Forum",
          content: "",
          type: "DISCUSSION",
          position: 6,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            restrict_posts_to: "everyone",
            completion_rules: {
              operator: "AND",
              rules: [
                {
                  type: "POST",
                  count: 1
                },
                {
                  type: "COMMENT",
                  count: 2
                }
              ]
            }
          },
          created_at: "2025-12-31T23:59:59.945Z",
          updated_at: "2025-12-31T23:59:59.945Z"
        }
      },
      FILE: {
        error: null,
        payload: {
          id: "style-guide",
          object: "element",
          name: "The style guide",
          content: "",
          type: "FILE",
          position: 5,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            file_url: "https://cdn.acme.test/files/style-guide.pdf"
          },
          created_at: "2025-12-31T23:59:59.933Z",
          updated_at: "2025-12-31T23:59:59.933Z"
        }
      },
      GROUP_FORMATION: {
        error: null,
        payload: {
          id: "teams",
          object: "element",
          name: "Find your team",
          content: "",
          type: "GROUP_FORMATION",
          position: 0,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            min_members: 2,
            max_members: 4,
            restrict_group_creation_to: "everyone",
            group_threads_enabled: true
          },
          created_at: "2025-12-31T23:59:59.955Z",
          updated_at: "2025-12-31T23:59:59.955Z"
        }
      },
      FORM: {
        error: null,
        payload: {
          id: "feedback-form",
          object: "element",
          name: "Tell us how it went",
          content: "",
          type: "FORM",
          position: 0,
          module: "teamwork-extra",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            questions: [
              {
                id: "form-hint",
                type: "INFO_BOX",
                text: "It takes two minutes.",
                optional: false
              },
              {
                id: "form-best",
                type: "TEXT",
                text: "What was best?",
                optional: false,
                min_words: 3
              },
              {
                id: "form-recommend",
                type: "NUMBER_SCALE",
                text: "Would you recommend it?",
                optional: false,
                range_min: 0,
                range_max: 10
              },
              {
                id: "form-format",
                type: "MULTIPLE_CHOICE",
                text: "Which format suits you?",
                optional: true,
                options: [
                  {
                    id: "form-format-live",
                    text: "Live"
                  },
                  {
                    id: "form-format-alone",
                    text: "At my own pace"
                  }
                ]
              },
              {
                id: "form-rank",
                type: "STACK_RANK",
                text: "What helped most?",
                optional: false,
                options: [
                  {
                    id: "form-rank-team",
                    text: "My team"
                  },
                  {
                    id: "form-rank-chen",
                    text: "The lecturer"
                  },
                  {
                    id: "form-rank-material",
                    text: "The material"
                  }
                ]
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.968Z",
          updated_at: "2025-12-31T23:59:59.968Z"
        }
      },
      SCORE: {
        error: null,
        payload: {
          id: "writing-score",
          object: "element",
          name: "Final score",
          content: "",
          type: "SCORE",
          position: 7,
          module: "writing-feedback",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            passing_score: 60,
            passing_score_comparator: "greater_than_or_equal",
            incomplete_inputs_handling: "score_as_zero",
            inputs: [
              {
                id: "score-quiz",
                element: "grammar-quiz",
                weight: 1,
                scored_via: null
              },
              {
                id: "score-essay",
                element: "essay",
                weight: 3,
                scored_via: "essay-instructor-review"
              },
              {
                id: "score-peer",
                element: "essay-peer-review",
                weight: 2,
                scored_via: "peer-reflection"
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.946Z",
          updated_at: "2025-12-31T23:59:59.946Z"
        }
      },
      GROUP_PEER_REVIEW: {
        error: null,
        payload: {
          id: "team-peer-review",
          object: "element",
          name: "Review another team",
          content: "",
          type: "GROUP_PEER_REVIEW",
          position: 2,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "GROUP_SUBMISSION",
              id: "team-plan",
              name: "Plan of the team"
            },
            questions: [
              {
                id: "team-review-strong",
                type: "TEXT",
                text: "What is strong about the plan?",
                optional: false,
                min_words: 10
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.959Z",
          updated_at: "2025-12-31T23:59:59.959Z"
        }
      },
      GROUP_FEEDBACK_REFLECTION: {
        error: null,
        payload: {
          id: "team-reflection",
          object: "element",
          name: "Reflect as a team",
          content: "",
          type: "GROUP_FEEDBACK_REFLECTION",
          position: 3,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            source: {
              type: "GROUP_PEER_REVIEW",
              id: "team-peer-review",
              name: "Review another team"
            },
            questions: [
              {
                id: "team-reflection-next",
                type: "TEXT",
                text: "What will you do next?",
                optional: true,
                min_words: null
              }
            ]
          },
          created_at: "2025-12-31T23:59:59.961Z",
          updated_at: "2025-12-31T23:59:59.961Z"
        }
      },
      MEETING_PROVIDER_B: {
        error: null,
        payload: {
          id: "team-retro",
          object: "element",
          name: "Retrospective",
          content: "",
          type: "MEETING_PROVIDER_B",
          position: 5,
          module: "teamwork-together",
          course: "teamwork",
          cover: null,
          metadata: {},
          properties: {
            start_date: "2026-03-02T09:00:00+01:00",
            end_date: "2026-03-02T10:00:00+01:00",
            meeting_reports: false
          },
          created_at: "2025-12-31T23:59:59.963Z",
          updated_at: "2025-12-31T23:59:59.963Z"
        }
      }
    }
  },
  createElement: {
    body: {
      CONTENT: {
        module: "writing-basics",
        name: "Welcome",
        content: "# Welcome\n\nThis course is about **clear** writing: short sentences, active verbs and _one_ idea a paragraph.",
        type: "CONTENT",
        metadata: {
          minutes: "5"
        },
        properties: {}
      },
      VIDEO: {
        module: "writing-basics",
        name: "What good writing does",
        content: "",
        type: "VIDEO",
        metadata: {},
        properties: {
          video_url: "https://videos.acme.test/watch/what-good-writing-does",
          video_type: "URL"
        }
      },
      MEETING_PROVIDER_A: {
        module: "teamwork-together",
        name: "Kick-off call",
        content: "",
        type: "MEETING_PROVIDER_A",
        metadata: {},
        properties: {
          start_date: "2026-02-02T09:00:00Z",
          end_date: "2026-02-02T10:00:00Z",
          meeting_reports: true
        }
      },
      MEETING_LINK: {
        module: "teamwork-together",
        name: "Office hours",
        content: "",
        type: "MEETING_LINK",
        metadata: {},
        properties: {
          meeting_url: "https://meet.acme.test/office-hours",
          start_date: "2026-02-04",
          end_date: "2026-02-04"
        }
      },
      QUIZ: {
        module: "writing-basics",
        name: "Grammar check",
        content: "",
        type: "QUIZ",
        metadata: {},
        properties: {
          passing_score: 70,
          completion_trigger: "on_pass",
          questions: [
            {
              id: "quiz-voice",
              text: "Which sentence is in the active voice?",
              shuffle: true,
              require_all_correct: false,
              answers: [
                {
                  id: "quiz-voice-a",
                  text: "The report was written by Ada.",
                  is_correct: false
                },
                {
                  id: "quiz-voice-b",
                  text: "Ada wrote the report.",
                  is_correct: true
                }
              ]
            },
            {
              id: "quiz-verbs",
              text: "Pick every verb.",
              shuffle: false,
              require_all_correct: true,
              answers: [
                {
                  id: "quiz-verbs-a",
                  text: "run",
                  is_correct: true
                },
                {
                  id: "quiz-verbs-b",
                  text: "read",
                  is_correct: true
                },
                {
                  id: "quiz-verbs-c",
                  text: "table",
                  is_correct: false
                }
              ]
            }
          ]
        }
      },
      SUBMISSION: {
        module: "writing-basics",
        name: "Essay: explain your job",
        content: "At most **300 words**.",
        type: "SUBMISSION",
        metadata: {},
        properties: {
          questions: [
            {
              id: "essay-text",
              text: "Explain your job to a neighbour.",
              accept_text: true,
              text_required: true,
              accept_file: false,
              file_required: false,
              file_multiple: false
            },
            {
              id: "essay-notes",
              text: "Attach your notes, if you have any.",
              accept_text: false,
              text_required: false,
              accept_file: true,
              file_required: false,
              file_multiple: true
            }
          ]
        }
      },
      GROUP_SUBMISSION: {
        module: "teamwork-together",
        name: "Plan of the team",
        content: "",
        type: "GROUP_SUBMISSION",
        metadata: {},
        properties: {
          questions: [
            {
              id: "plan-goal",
              text: "What is your goal?",
              accept_text: true,
              text_required: true,
              accept_file: false,
              file_required: false,
              file_multiple: false
            },
            {
              id: "plan-file",
              text: "Your plan as a file",
              accept_text: false,
              text_required: false,
              accept_file: true,
              file_required: true,
              file_multiple: false
            }
          ]
        }
      },
      EMBED: {
        module: "writing-basics",
        name: "Word counter",
        content: "",
        type: "EMBED",
        metadata: {},
        properties: {
          embed: '<iframe src="https://tools.acme.test/word-counter"></iframe>'
        }
      },
      SURVEY: {
        module: "writing-basics",
        name: "What do you read?",
        content: "",
        type: "SURVEY",
        metadata: {},
        properties: {
          questions: [
            {
              id: "survey-reads",
              text: "What do you read most?",
              options: [
                {
                  id: "survey-reads-news",
                  text: "News"
                },
                {
                  id: "survey-reads-books",
                  text: "Books"
                },
                {
                  id: "survey-reads-mail",
                  text: "Mail"
                }
              ]
            }
          ]
        }
      },
      SCORM: {
        module: "teamwork-extra",
        name: "Conflict simulation",
        content: "",
        type: "SCORM",
        metadata: {},
        properties: {
          scorm_url: "https://cdn.acme.test/scorm/conflict.zip",
          scorm_user_identifier: "user_id"
        }
      },
      CERTIFICATE: {
        module: "writing-feedback",
        name: "Certificate",
        content: "",
        type: "CERTIFICATE",
        metadata: {},
        properties: {
          certificate_title: "Certificate of Completion",
          certificate_description: "Has completed the course with success.",
          certificate_course_name: "Writing That Works",
          certificate_issued_by: "Acme Academy"
        }
      },
      TAG: {
        module: "writing-basics",
        name: "Beginner",
        content: "",
        type: "TAG",
        metadata: {},
        properties: {}
      },
      PARTNER_LEARNING: {
        module: "teamwork-extra",
        name: "Partner course: negotiation",
        content: "",
        type: "PARTNER_LEARNING",
        metadata: {},
        properties: {}
      },
      SELF_REVIEW: {
        module: "writing-feedback",
        name: "Review your own essay",
        content: "",
        type: "SELF_REVIEW",
        metadata: {},
        properties: {
          source: {
            type: "SUBMISSION",
            id: "essay",
            name: "Essay: explain your job"
          },
          questions: [
            {
              id: "self-clear",
              type: "YES_NO",
              text: "Would your neighbour understand it?",
              optional: false,
              yes_text: "Yes",
              no_text: "Not yet"
            },
            {
              id: "self-change",
              type: "TEXT",
              text: "What would you change?",
              optional: true,
              min_words: 5
            }
          ]
        }
      },
      PEER_REVIEW: {
        module: "writing-feedback",
        name: "Review a peer's essay",
        content: "",
        type: "PEER_REVIEW",
        metadata: {},
        properties: {
          source: {
            type: "SUBMISSION",
            id: "essay",
            name: "Essay: explain your job"
          },
          questions: [
            {
              id: "peer-intro",
              type: "INFO_BOX",
              text: "Be kind, be specific, be brief.",
              optional: false
            },
            {
              id: "peer-clarity",
              type: "NUMBER_SCALE",
              text: "How clear is it?",
              optional: false,
              range_min: 1,
              range_max: 5
            },
            {
              id: "peer-tone",
              type: "TEXT_SCALE",
              text: "How is the tone?",
              optional: false,
              options: [
                {
                  text: "Stiff"
                },
                {
                  text: "Plain"
                },
                {
                  text: "Warm"
                }
              ]
            }
          ]
        }
      },
      FEEDBACK_REFLECTION: {
        module: "writing-feedback",
        name: "Reflect on the feedback",
        content: "",
        type: "FEEDBACK_REFLECTION",
        metadata: {},
        properties: {
          source: {
            type: "PEER_REVIEW",
            id: "essay-peer-review",
            name: "Review a peer's essay"
          },
          questions: [
            {
              id: "reflection-useful",
              type: "NUMBER_SCALE",
              text: "How useful was the feedback?",
              optional: false,
              range_min: 0,
              range_max: 10
            }
          ]
        }
      },
      INSTRUCTOR_REVIEW: {
        module: "writing-feedback",
        name: "Chen's review",
        content: "",
        type: "INSTRUCTOR_REVIEW",
        metadata: {},
        properties: {
          source: {
            type: "SUBMISSION",
            id: "essay",
            name: "Essay: explain your job"
          },
          questions: [
            {
              id: "instructor-grade",
              type: "NUMBER_SCALE",
              text: "Grade",
              optional: false,
              range_min: 0,
              range_max: 100
            }
          ]
        }
      },
      INSTRUCTOR_DISCUSSION: {
        module: "writing-feedback",
        name: "Talk it over with Chen",
        content: "",
        type: "INSTRUCTOR_DISCUSSION",
        metadata: {},
        properties: {
          source: {
            type: "SUBMISSION",
            id: "essay",
            name: "Essay: explain your job"
          }
        }
      },
      AI_REVIEW: {
        module: "writing-feedback",
        name: "Automatic review",
        content: "",
        type: "AI_REVIEW",
        metadata: {},
        properties: {
          source: {
            type: "SUBMISSION",
            id: "essay",
            name: "Essay: explain your job"
          },
          questions: [
            {
              id: "ai-length",
              type: "YES_NO",
              text: "Is it under 300 words?",
              optional: false,
              yes_text: "Under",
              no_text: "Over"
            }
          ]
        }
      },
      CHECKLIST: {
        module: "teamwork-together",
        name: "Before you start",
        content: "",
        type: "CHECKLIST",
        metadata: {},
        properties: {
          questions: [
            {
              id: "check-calendar",
              text: "Share your calendar"
            },
            {
              id: "check-thread",
              text: "Say hello in your thread"
            }
          ]
        }
      },
      DISCUSSION: {
        module: "writing-feedback",
        name: "Forum",
        content: "",
        type: "DISCUSSION",
        metadata: {},
        properties: {
          restrict_posts_to: "everyone",
          completion_rules: {
            operator: "AND",
            rules: [
              {
                type: "POST",
                count: 1
              },
              {
                type: "COMMENT",
                count: 2
              }
            ]
          }
        }
      },
      FILE: {
        module: "writing-basics",
        name: "The style guide",
        content: "",
        type: "FILE",
        metadata: {},
        properties: {
          file_url: "https://cdn.acme.test/files/style-guide.pdf"
        }
      },
      GROUP_FORMATION: {
        module: "teamwork-together",
        name: "Find your team",
        content: "",
        type: "GROUP_FORMATION",
        metadata: {},
        properties: {
          min_members: 2,
          max_members: 4,
          restrict_group_creation_to: "everyone",
          group_threads_enabled: true
        }
      },
      FORM: {
        module: "teamwork-extra",
        name: "Tell us how it went",
        content: "",
        type: "FORM",
        metadata: {},
        properties: {
          questions: [
            {
              id: "form-hint",
              type: "INFO_BOX",
              text: "It takes two minutes.",
              optional: false
            },
            {
              id: "form-best",
              type: "TEXT",
              text: "What was best?",
              optional: false,
              min_words: 3
            },
            {
              id: "form-recommend",
              type: "NUMBER_SCALE",
              text: "Would you recommend it?",
              optional: false,
              range_min: 0,
              range_max: 10
            },
            {
              id: "form-format",
              type: "MULTIPLE_CHOICE",
              text: "Which format suits you?",
              optional: true,
              options: [
                {
                  id: "form-format-live",
                  text: "Live"
                },
                {
                  id: "form-format-alone",
                  text: "At my own pace"
                }
              ]
            },
            {
              id: "form-rank",
              type: "STACK_RANK",
              text: "What helped most?",
              optional: false,
              options: [
                {
                  id: "form-rank-team",
                  text: "My team"
                },
                {
                  id: "form-rank-chen",
                  text: "The lecturer"
                },
                {
                  id: "form-rank-material",
                  text: "The material"
                }
              ]
            }
          ]
        }
      },
      SCORE: {
        module: "writing-feedback",
        name: "Final score",
        content: "",
        type: "SCORE",
        metadata: {},
        properties: {
          passing_score: 60,
          passing_score_comparator: "greater_than_or_equal",
          incomplete_inputs_handling: "score_as_zero",
          inputs: [
            {
              id: "score-quiz",
              element: "grammar-quiz",
              weight: 1,
              scored_via: null
            },
            {
              id: "score-essay",
              element: "essay",
              weight: 3,
              scored_via: "essay-instructor-review"
            },
            {
              id: "score-peer",
              element: "essay-peer-review",
              weight: 2,
              scored_via: "peer-reflection"
            }
          ]
        }
      },
      GROUP_PEER_REVIEW: {
        module: "teamwork-together",
        name: "Review another team",
        content: "",
        type: "GROUP_PEER_REVIEW",
        metadata: {},
        properties: {
          source: {
            type: "GROUP_SUBMISSION",
            id: "team-plan",
            name: "Plan of the team"
          },
          questions: [
            {
              id: "team-review-strong",
              type: "TEXT",
              text: "What is strong about the plan?",
              optional: false,
              min_words: 10
            }
          ]
        }
      },
      GROUP_FEEDBACK_REFLECTION: {
        module: "teamwork-together",
        name: "Reflect as a team",
        content: "",
        type: "GROUP_FEEDBACK_REFLECTION",
        metadata: {},
        properties: {
          source: {
            type: "GROUP_PEER_REVIEW",
            id: "team-peer-review",
            name: "Review another team"
          },
          questions: [
            {
              id: "team-reflection-next",
              type: "TEXT",
              text: "What will you do next?",
              optional: true,
              min_words: null
            }
          ]
        }
      },
      MEETING_PROVIDER_B: {
        module: "teamwork-together",
        name: "Retrospective",
        content: "",
        type: "MEETING_PROVIDER_B",
        metadata: {},
        properties: {
          start_date: "2026-03-02T09:00:00+01:00",
          end_date: "2026-03-02T10:00:00+01:00",
          meeting_reports: false
        }
      }
    },
    answer: {
      QUIZ: {
        error: null,
        payload: {
          id: "d5Y2hFJYXtQLxhwS",
          object: "element",
          name: "Grammar check",
          content: "",
          type: "QUIZ",
          position: 8,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            passing_score: 70,
            completion_trigger: "on_pass",
            questions: [
              {
                id: "quiz-voice",
                text: "Which sentence is in the active voice?",
                shuffle: true,
                require_all_correct: false,
                answers: [
                  {
                    id: "quiz-voice-a",
                    text: "The report was written by Ada.",
                    is_correct: false
                  },
                  {
                    id: "quiz-voice-b",
                    text: "Ada wrote the report.",
                    is_correct: true
                  }
                ]
              },
              {
                id: "quiz-verbs",
                text: "Pick every verb.",
                shuffle: false,
                require_all_correct: true,
                answers: [
                  {
                    id: "quiz-verbs-a",
                    text: "run",
                    is_correct: true
                  },
                  {
                    id: "quiz-verbs-b",
                    text: "read",
                    is_correct: true
                  },
                  {
                    id: "quiz-verbs-c",
                    text: "table",
                    is_correct: false
                  }
                ]
              }
            ]
          },
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-01T00:00:00.000Z"
        }
      }
    }
  },
  listElementActivities: {
    answer: {
      page: {
        error: null,
        payload: {
          data: [
            {
              id: "AJx3toSdF0GbYSoR",
              object: "activity",
              timestamp: "2025-12-31T23:59:59.969Z",
              status: "submitted",
              passed: null,
              score: null,
              completed_by: "dara",
              member: {
                id: "dara",
                object: "member",
                first_name: "Dara",
                last_name: "Novak",
                full_name: "Dara Novak",
                avatar: null,
                email: "dara@mail.test",
                is_email_verified: true,
                last_seen: null,
                created_at: "2025-12-31T23:59:59.913Z"
              },
              context: {
                id: "feedback-form",
                object: "element",
                name: "Tell us how it went",
                type: "FORM",
                position: 0,
                module: "teamwork-extra"
              },
              meta: {
                responses: [
                  {
                    question: "form-best",
                    value: "The first call together."
                  },
                  {
                    question: "form-recommend",
                    value: 9
                  }
                ]
              },
              created_at: "2025-12-31T23:59:59.969Z"
            }
          ],
          next: null
        }
      }
    }
  },
  updateElement: {
    body: {
      some: {
        position: 0,
        properties: {
          passing_score: 60
        }
      }
    },
    answer: {
      QUIZ: {
        error: null,
        payload: {
          id: "d5Y2hFJYXtQLxhwS",
          object: "element",
          name: "Grammar check",
          content: "",
          type: "QUIZ",
          position: 0,
          module: "writing-basics",
          course: "writing",
          cover: null,
          metadata: {},
          properties: {
            passing_score: 60,
            completion_trigger: "on_pass",
            questions: [
              {
                id: "quiz-voice",
                text: "Which sentence is in the active voice?",
                shuffle: true,
                require_all_correct: false,
                answers: [
                  {
                    id: "quiz-voice-a",
                    text: "The report was written by Ada.",
                    is_correct: false
                  },
                  {
                    id: "quiz-voice-b",
                    text: "Ada wrote the report.",
                    is_correct: true
                  }
                ]
              },
              {
                id: "quiz-verbs",
                text: "Pick every verb.",
                shuffle: false,
                require_all_correct: true,
                answers: [
                  {
                    id: "quiz-verbs-a",
                    text: "run",
                    is_correct: true
                  },
                  {
                    id: "quiz-verbs-b",
                    text: "read",
                    is_correct: true
                  },
                  {
                    id: "quiz-verbs-c",
                    text: "table",
                    is_correct: false
                  }
                ]
              }
            ]
          },
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-01T00:00:00.000Z"
        }
      }
    }
  },
  deleteElement: {
    answer: {
      deleted: {
        error: null,
        payload: {
          id: "d5Y2hFJYXtQLxhwS",
          object: "element",
          deleted: true
        }
      }
    }
  }
};

// src/api/api-document.ts
var errorSchema = z.strictObject({
  error: z.string(),
  payload: z.null(),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional().describe("On validation errors: one entry for each fault")
});
var responseNames = {
  invalid: "Invalid",
  unauthorized: "Unauthorized",
  insufficient_scope: "InsufficientScope",
  not_found: "NotFound",
  too_large: "TooLarge",
  unsupported_media_type: "UnsupportedMediaType",
  rate_limited: "RateLimited",
  internal: "InternalError",
  store_unwritable: "StoreUnwritable"
};
var headers = {
  unauthorized: ["WWW-Authenticate", "RFC 6750: why the credential does not work"],
  insufficient_scope: ["WWW-Authenticate", "RFC 6750: the scope that is needed"],
  rate_limited: ["Retry-After", "Seconds until the next request may be made"]
};
function responseOf(name) {
  const { message } = refusals[name];
  const header = headers[name];
  return {
    description: message,
    ...header && { headers: { [header[0]]: { description: header[1], schema: { type: "string" } } } },
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        example: { error: message, payload: null }
      }
    }
  };
}
function refusalsOf({ operation, path }) {
  const { open, query, body } = operation;
  const writes = operation.scope === null;
  const takesBody = body !== void 0 || writes;
  const names = [
    (query !== void 0 || takesBody || path.includes(":")) && "invalid",
    !open && "unauthorized",
    !open && "insufficient_scope",
    path.includes(":") && "not_found",
    takesBody && "too_large",
    takesBody && "unsupported_media_type",
    "rate_limited",
    "internal",
    writes && "store_unwritable"
  ];
  return Object.fromEntries(
    names.filter((name) => typeof name === "string").map((name) => [refusals[name].status, responseNames[name]])
  );
}
var securityOf = ({ open, scope }) => {
  if (open) return [];
  return scope ? [{ ApiKey: [] }, { InstallToken: [scope] }] : [{ ApiKey: [] }];
};
function named(world, value, key = "") {
  if (Array.isArray(value)) return value.map((item) => named(world, item));
  if (key === "type" && isElementType(value)) return wireType(world, value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, named(world, inner, name)]));
}
var apiDocument = (world, routes) => openApi(routes, {
  title: "Course-delivery platform API",
  version: "0",
  description: "Read platform data and manage elements. Lists are newest first, 50 items a page unless set otherwise.",
  server: world.addresses.base_url,
  tags: {
    courses: "Courses and their members",
    modules: "The parts of a course",
    elements: "Lesson units, their properties and activities",
    members: "People of the organization",
    activities: "What members did",
    "openapi.json": "This document"
  },
  tagOf: (path) => path.split("/")[2],
  securitySchemes: {
    ApiKey: { type: "http", scheme: "bearer", description: "The API key of an organization" },
    InstallToken: {
      type: "http",
      scheme: "bearer",
      description: "The access token of an installation: limited to its organization's data and its scopes"
    }
  },
  securityOf,
  success: (answer) => ({
    type: "object",
    properties: { error: { type: "null" }, payload: answer },
    required: ["error", "payload"],
    additionalProperties: false
  }),
  responses: Object.fromEntries(
    Object.entries(responseNames).map(([name, component]) => [component, responseOf(name)])
  ),
  refusalsOf,
  schemas: { Error: errorSchema },
  examples: named(world, examples_default),
  override: nameTypes(world)
});
export {
  apiDocument
};
